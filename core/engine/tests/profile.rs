//! The tests of the engine run with the checks that the workspace sets for them.

#[test]
#[should_panic(expected = "overflow")]
fn tests_check_sums_for_overflow() {
    let most = std::hint::black_box(u32::MAX);
    std::hint::black_box(most + 1);
}
