// A program in Rust without its library (core has no riscv64 in Debian): traits, generics, methods inlined in each other.
// rust.s is what rustc 1.95 makes of it:
//
//   RUSTC_BOOTSTRAP=1 rustc --edition 2021 --target riscv64gc-unknown-none-elf -C panic=abort -g -C opt-level=2
//       -C relocation-model=static -C code-model=medium --emit=asm --remap-path-prefix=$PWD=/rust -o rust.s rust.rs
#![feature(auto_traits, no_core, lang_items, intrinsics, rustc_attrs, arbitrary_self_types)]
#![allow(internal_features)]
#![no_core]
#![no_std]
#![crate_type = "staticlib"]
#[lang = "pointee_sized"] pub trait PointeeSized {}
#[lang = "meta_sized"] pub trait MetaSized: PointeeSized {}
#[lang = "sized"] pub trait Sized: MetaSized {}
#[lang = "freeze"] pub unsafe auto trait Freeze {}
#[lang = "unsafe_unpin"] pub unsafe auto trait UnsafeUnpin {}
#[lang = "unpin"] pub auto trait Unpin {}
#[lang = "copy"] pub trait Copy {}
impl Copy for u64 {} impl Copy for bool {} impl<T> Copy for *mut T {}
#[lang = "add"] pub trait Add<R = Self> { type Output; fn add(self, r: R) -> Self::Output; }
#[lang = "sub"] pub trait Sub<R = Self> { type Output; fn sub(self, r: R) -> Self::Output; }
#[lang = "eq"] pub trait PartialEq<R: ?Sized = Self> { fn eq(&self, r: &R) -> bool; fn ne(&self, r: &R) -> bool; }
#[rustc_intrinsic] pub const fn wrapping_add<T: Copy>(a: T, b: T) -> T;
#[rustc_intrinsic] pub const fn wrapping_sub<T: Copy>(a: T, b: T) -> T;
#[rustc_intrinsic] pub const fn wrapping_mul<T: Copy>(a: T, b: T) -> T;
impl PartialEq for u64 { #[inline(always)] fn eq(&self, r: &u64) -> bool { *self == *r } #[inline(always)] fn ne(&self, r: &u64) -> bool { *self != *r } }
pub mod shapes {
    use super::*;
    pub trait Area { fn area(self) -> u64; }
    pub struct Square(pub u64);
    pub struct Circle { pub r: u64 }
    impl Area for Square { #[inline(never)] fn area(self) -> u64 { wrapping_mul(self.0, self.0) } }
    impl Area for Circle { #[inline(never)] fn area(self) -> u64 { let mut s = 0; let mut i = self.r; while i != 0 { s = wrapping_add(s, wrapping_mul(i, 3)); i = wrapping_sub(i, 1); } s } }
    #[inline(never)] pub fn total<A: Area, B: Area>(a: A, b: B) -> u64 { wrapping_add(twice(a.area()), b.area()) }
    #[inline(always)] fn twice(x: u64) -> u64 { wrapping_add(x, half(x)) }
    #[inline(always)] fn half(x: u64) -> u64 { wrapping_mul(x, x) }
}
pub struct Counter<T: shapes::Area + Copy> { shape: T, left: u64 }
impl<T: shapes::Area + Copy> Counter<T> {
    #[inline(always)]
    fn next(&mut self) -> u64 {
        self.left = wrapping_sub(self.left, 1);
        mixed(self.shape.area(), self.left)
    }
    #[inline(never)]
    fn all(&mut self) -> u64 {
        let mut sum = 0;
        while self.left != 0 {
            sum = wrapping_add(sum, self.next());
        }
        sum
    }
}
#[inline(always)]
fn mixed(a: u64, b: u64) -> u64 {
    let c = wrapping_mul(a, 0x9e37);
    wrapping_add(c, wrapping_mul(b, c))
}
impl Copy for shapes::Square {}
impl Copy for shapes::Circle {}
#[no_mangle]
pub extern "C" fn main() -> u64 {
    let mut squares = Counter { shape: shapes::Square(3), left: 5 };
    let mut circles = Counter { shape: shapes::Circle { r: 9 }, left: 7 };
    let sum = wrapping_add(squares.all(), circles.all());
    wrapping_add(sum, shapes::total(shapes::Square(7), shapes::Circle { r: 100 }))
}
