// Verifies replay files with the library as a WebAssembly module and prints a line for each, as golden.c does.
//
// usage: node page.mjs MODULE LANES FILE...

import { readFileSync } from "node:fs";

const [modulePath, lanes, ...files] = process.argv.slice(2);
if (files.length === 0) {
    console.error("usage: node page.mjs MODULE LANES FILE...");
    process.exit(2);
}
// No imports: a module that needs any does not start.
const { instance } = await WebAssembly.instantiate(readFileSync(modulePath), {});
const { memory, cloth_replay_verify_file, cloth_status_message } = instance.exports;

// ClothStatus and ClothReplayResult of cloth.h.
const OK = 0;
const DIFFERS = 126;
const EXPECTED = 0;
const FOUND = 8;
const SAME_FRAMES = 16;
const FIRST_DIFFERENT = 20;
const LANES = 24;
const RESULT = 32;

const PAGE = 65536;
const ROOM = 4 << 20;
// Behind everything the module has for itself.
const result = memory.grow((2 * ROOM) / PAGE + 1) * PAGE;
const file = result + PAGE;
const blocks = file + ROOM;

const text = (at) => {
    const bytes = new Uint8Array(memory.buffer, at);
    return new TextDecoder().decode(bytes.subarray(0, bytes.indexOf(0)));
};

let worst = 0;
for (const path of files) {
    const bytes = readFileSync(path);
    new Uint8Array(memory.buffer).set(bytes, file);
    const status = cloth_replay_verify_file(file, bytes.length, Number(lanes), blocks, (ROOM - PAGE) / 16, result, 0);
    const told = new DataView(memory.buffer, result, RESULT);
    const hex = (at) => told.getBigUint64(at, true).toString(16).padStart(16, "0");
    const number = (at) => told.getUint32(at, true);
    if (status === OK) {
        console.log(`${path}: same, ${number(SAME_FRAMES)} frames, ${hex(FOUND)}, ${number(LANES)} lanes`);
    } else if (status === DIFFERS) {
        const others = `${hex(FOUND)}, recorded was ${hex(EXPECTED)}, ${number(LANES)} lanes`;
        console.log(`${path}: differs from frame ${number(FIRST_DIFFERENT)} on: ${others}`);
    } else {
        console.log(`${path}: ${text(cloth_status_message(status))}`);
    }
    worst ||= status === OK ? 0 : 1;
}
process.exit(worst);
