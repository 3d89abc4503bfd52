//! Verifies the replay files of the command line, read by semihosting, and prints a line for each, as main.c does.
#![cfg_attr(target_os = "none", no_std, no_main)]

#[cfg(not(target_os = "none"))]
fn main() {}

#[cfg(target_os = "none")]
mod machine {
    use cloth_core::{Block, Level};
    use core::panic::PanicInfo;
    use cortex_m_rt::entry;
    use cortex_m_semihosting::{debug, hprintln, nr, syscall, syscall1};

    static mut FILE: [u8; 1 << 20] = [0; 1 << 20];
    static mut MEMORY: [Block; 1 << 17] = [Block([0; 4]); 1 << 17];

    #[entry]
    fn main() -> ! {
        let mut line = [0; 4096];
        // SAFETY: main runs once, and nothing else names these.
        let (file, memory) = unsafe { (&mut *(&raw mut FILE), &mut *(&raw mut MEMORY)) };
        let mut worst = golden::SAME;
        // The first argument is the program's name.
        for path in command_line(&mut line).split(' ').skip(1) {
            let Some(length) = read(path, file) else {
                hprintln!("{}: cannot be read", path);
                worst = golden::REFUSED;
                continue;
            };
            let (answer, told) = golden::run(file.get(..length).unwrap_or(&[]), memory, Level::detect());
            let golden::Outcome { frames, expected, found, lanes, .. } = told;
            match answer {
                golden::SAME => {
                    hprintln!("{}: same, {} frames, {:016x}, {} lanes", path, frames, found, lanes)
                }
                golden::DIFFERS => hprintln!(
                    "{}: differs from frame {} on: {:016x}, recorded was {:016x}, {} lanes",
                    path,
                    frames,
                    found,
                    expected,
                    lanes
                ),
                _ => hprintln!("{}: refused ({})", path, answer),
            }
            worst = worst.max(answer);
        }
        debug::exit(if worst == golden::SAME { debug::EXIT_SUCCESS } else { debug::EXIT_FAILURE });
        loop {}
    }

    /// What the machine was started with; empty where that cannot be told.
    fn command_line(line: &mut [u8; 4096]) -> &str {
        let mut block = [line.as_mut_ptr() as usize, line.len()];
        // SAFETY: SYS_GET_CMDLINE writes a terminated string of at most the given length, and its length.
        let failed = unsafe { syscall1!(GET_CMDLINE, block.as_mut_ptr()) };
        let [_, length] = block;
        let text = line.get(..length).unwrap_or(&[]);
        if failed == 0 { core::str::from_utf8(text).unwrap_or("") } else { "" }
    }

    /// Reads a file of the host; the number of bytes read.
    fn read(path: &str, into: &mut [u8]) -> Option<usize> {
        let mut name = [0_u8; 1024];
        name.get_mut(..path.len())?.copy_from_slice(path.as_bytes());
        if path.len() == name.len() {
            return None;
        }
        // SAFETY: a terminated name, its length, and mode 1, "rb".
        let handle = unsafe { syscall!(OPEN, name.as_ptr(), nr::open::R_BINARY, path.len()) };
        if handle == usize::MAX {
            return None;
        }
        // SAFETY: an open file, and memory of the given length.
        let left = unsafe { syscall!(READ, handle, into.as_mut_ptr(), into.len()) };
        // SAFETY: an open file.
        unsafe { syscall!(CLOSE, handle) };
        into.len().checked_sub(left)
    }

    #[panic_handler]
    fn panicked(info: &PanicInfo<'_>) -> ! {
        hprintln!("{}", info);
        debug::exit(debug::EXIT_FAILURE);
        loop {}
    }
}
