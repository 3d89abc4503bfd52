//! The machine: its timer, its memory map, its stack, and the words it is told about in.

use crate::scene::{Cloth, FRAMES};
use cloth_core::Block;
use core::panic::PanicInfo;
use cortex_m::peripheral::SYST;
use cortex_m::peripheral::syst::SystClkSource;
use cortex_m_semihosting::{debug, hprintln};

unsafe extern "C" {
    static __sdata: u32;
    static __edata: u32;
    static __sidata: u32;
    static __sbss: u32;
    static __ebss: u32;
    static _stack_end: u32;
    static _stack_start: u32;
}

/// Largest count of the timer.
const TOP: u32 = 0x00ff_ffff;

/// Runs a cloth, prints what it took, and ends the machine with whether the bits are the host's.
pub fn show(cloth: Cloth, model: &[u8], memory: &mut [Block], expected: u64) -> ! {
    // SAFETY: this is the only use of the machine's peripherals.
    let mut timer = unsafe { cortex_m::Peripherals::steal() }.SYST;
    timer.set_clock_source(SystClkSource::Core);
    timer.set_reload(TOP);
    timer.clear_current();
    timer.enable_counter();
    let state = size_of_val(memory);
    let run = crate::run(cloth, model, memory, |work| ticks(&mut timer, work));
    let stack = stack_used();
    let (fixed, flash) = sizes();
    let same = run.fingerprint == expected;
    let frames = u64::from(FRAMES);
    // QEMU's -icount shift=5 makes an instruction 32 ns, and the timer counts 40 ns: 1.25 instructions a tick.
    let instructions = |ticks: u64| ticks * 5 / 4;
    hprintln!("cloth {:?}", cloth);
    hprintln!("fingerprint {:016x} {}", run.fingerprint, if same { "same" } else { "differs" });
    hprintln!("model-flash {}", model.len());
    hprintln!("program-flash {}", flash.saturating_sub(model.len()));
    hprintln!("state-ram {}", state);
    hprintln!("other-ram {}", fixed.saturating_sub(state));
    hprintln!("stack {}", stack);
    hprintln!("ram {}", fixed + stack);
    hprintln!("instructions {}", instructions(run.ticks) / frames);
    hprintln!("most-instructions {}", instructions(run.longest.into()));
    debug::exit(if same { debug::EXIT_SUCCESS } else { debug::EXIT_FAILURE });
    loop {}
}

/// Ticks of the timer that a piece of work takes; at most 2²⁴, or `u32::MAX` where it went round more than that.
fn ticks(timer: &mut SYST, work: &mut dyn FnMut()) -> u32 {
    // Sets the count to 0 and forgets that it went round; the next tick reloads it.
    timer.clear_current();
    while SYST::get_current() == 0 {}
    let before = SYST::get_current();
    work();
    let after = SYST::get_current();
    if timer.has_wrapped() { u32::MAX } else { before.saturating_sub(after) }
}

/// Bytes of static variables, and of flash.
fn sizes() -> (usize, usize) {
    // The vectors are at 0, where flash begins.
    let data = &raw const __edata as usize - &raw const __sdata as usize;
    let flash = &raw const __sidata as usize + data;
    (data + (&raw const __ebss as usize - &raw const __sbss as usize), flash)
}

/// Bytes of the stack that anything was ever written to.
fn stack_used() -> usize {
    let (end, start) = (&raw const _stack_end, &raw const _stack_start);
    let mut clean = end;
    // SAFETY: words between the linker's two symbols, all of them memory; volatile, because what is read may be in use.
    while clean < start && unsafe { clean.read_volatile() } == cortex_m_rt::STACK_PAINT_VALUE {
        clean = clean.wrapping_add(1);
    }
    start as usize - clean as usize
}

#[panic_handler]
fn panicked(info: &PanicInfo<'_>) -> ! {
    hprintln!("{}", info);
    debug::exit(debug::EXIT_FAILURE);
    loop {}
}
