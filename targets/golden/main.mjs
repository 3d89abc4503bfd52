// Verifies replay files with a WebAssembly module and prints a line for each, as main.c does.
//
// usage: node main.mjs MODULE LANES FILE...

import { readFileSync } from "node:fs";

const [modulePath, lanes, ...files] = process.argv.slice(2);
if (files.length === 0) {
    console.error("usage: node main.mjs MODULE LANES FILE...");
    process.exit(2);
}
const { instance } = await WebAssembly.instantiate(readFileSync(modulePath), {});
const { memory, golden_verify } = instance.exports;

const PAGE = 65536;
const ROOM = 4 << 20;
// Behind everything the module has for itself.
const outcome = memory.grow((2 * ROOM) / PAGE + 1) * PAGE;
const file = outcome + PAGE;
const blocks = file + ROOM;

let worst = 0;
for (const path of files) {
    const bytes = readFileSync(path);
    new Uint8Array(memory.buffer).set(bytes, file);
    const answer = golden_verify(file, bytes.length, blocks, (ROOM - PAGE) / 16, Number(lanes), outcome);
    const told = new DataView(memory.buffer, outcome, 32);
    const hex = (at) => told.getBigUint64(at, true).toString(16).padStart(16, "0");
    const frames = told.getUint32(16, true);
    const width = told.getUint32(20, true);
    if (answer === 0) {
        console.log(`${path}: same, ${frames} frames, ${hex(8)}, ${width} lanes`);
    } else if (answer === 1) {
        console.log(`${path}: differs from frame ${frames} on: ${hex(8)}, recorded was ${hex(0)}, ${width} lanes`);
    } else {
        console.log(`${path}: refused (${answer})`);
    }
    worst ||= answer === 0 ? 0 : 1;
}
process.exit(worst);
