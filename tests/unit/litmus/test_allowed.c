// What RVWMO allows: tests of the literature and of the unprivileged manual (chapter RVWMO and its explanation in the
// appendix), each with the reason of its verdict. Numbers are those of the rules of preserved program order.
//
// In each thread x5 is 1, x9 is 2, x6, x7 and x8 are the addresses of x, y and z.
#include "litmus/litmus.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct row {
    const char *name, *threads[4], *condition;
    bool allowed;
    const char *why;
};

#define W_X "sw x5,0(x6);"
#define W_Y "sw x5,0(x7);"
#define R_X "lw x11,0(x6);"
#define R_Y "lw x10,0(x7);"
// x12 depends on x10, and is 0; what is read or written then, does.
#define XOR "xor x12,x10,x10;"
#define ADDR_R_X XOR "add x13,x6,x12;lw x11,0(x13);"
#define ADDR_R_Y XOR "add x13,x7,x12;lw x11,0(x13);"
#define ADDR_W_X XOR "add x13,x6,x12;sw x5,0(x13);"
#define ADDR_W_Y XOR "add x13,x7,x12;sw x5,0(x13);"
#define DATA_W_X XOR "ori x12,x12,1;sw x12,0(x6);"
#define DATA_W_Y XOR "ori x12,x12,1;sw x12,0(x7);"
#define DATA_W_Z XOR "ori x12,x12,1;sw x12,0(x8);"
#define CTRL "bne x10,x0,L;L:"

#define MP "1:x10=1 /\\ 1:x11=0"
#define SB "0:x11=0 /\\ 1:x11=0"
#define SB_LEFT W_X "lw x11,0(x7);"
#define LB "0:x10=1 /\\ 1:x10=1"
#define LB_R_X "lw x10,0(x6);"
#define S "1:x10=1 /\\ x=2"
#define R "y=2 /\\ 1:x11=0"
#define WW "x=1 /\\ y=1"
#define WRC "1:x10=1 /\\ 2:x10=1 /\\ 2:x11=0"
#define IRIW "1:x10=1 /\\ 1:x11=0 /\\ 3:x10=1 /\\ 3:x11=0"
#define ISA2 "1:x10=1 /\\ 2:x10=1 /\\ 2:x11=0"
#define R_Z_10 "lw x10,0(x8);"

static const struct row rows[] = {
    // message passing: data in x, flag in y
    {"MP", {W_X W_Y, R_Y R_X}, MP, true, "no rule orders two stores, or two loads, of other addresses"},
    {"MP+ww+po", {W_X "fence w,w;" W_Y, R_Y R_X}, MP, true, "the loads are not ordered"},
    {"MP+po+rr", {W_X W_Y, R_Y "fence r,r;" R_X}, MP, true, "the stores are not ordered"},
    {"MP+ww+rr", {W_X "fence w,w;" W_Y, R_Y "fence r,r;" R_X}, MP, false, "4 on both sides"},
    {"MP+fences", {W_X "fence rw,rw;" W_Y, R_Y "fence rw,rw;" R_X}, MP, false, "4 on both sides"},
    {"MP+fence", {W_X "fence;" W_Y, R_Y "fence;" R_X}, MP, false, "4: a fence without sets orders all"},
    {"MP+tsos", {W_X "fence.tso;" W_Y, R_Y "fence.tso;" R_X}, MP, false, "4: fence.tso keeps W-W and R-R"},
    {"MP+rr+rr", {W_X "fence r,r;" W_Y, R_Y "fence r,r;" R_X}, MP, true, "fence r,r orders no stores"},
    {"MP+ww+ww", {W_X "fence w,w;" W_Y, R_Y "fence w,w;" R_X}, MP, true, "fence w,w orders no loads"},
    {"MP+wr+rr", {W_X "fence w,r;" W_Y, R_Y "fence r,r;" R_X}, MP, true, "fence w,r orders no later store"},
    {"MP+io", {W_X "fence iorw,iorw;" W_Y, R_Y "fence ir,ir;" R_X}, MP, false, "4: i and o add nothing here"},
    {"MP+ww+addr", {W_X "fence w,w;" W_Y, R_Y ADDR_R_X}, MP, false, "9"},
    {"MP+po+addr", {W_X W_Y, R_Y ADDR_R_X}, MP, true, "the stores are not ordered"},
    {"MP+ww+ctrl", {W_X "fence w,w;" W_Y, R_Y CTRL R_X}, MP, true, "11 orders stores alone after a branch"},
    {"MP+ww+ctrlfencei", {W_X "fence w,w;" W_Y, R_Y CTRL "fence.i;" R_X}, MP, true, "fence.i orders no data"},
    {"MP+ww+x0",
     {W_X "fence w,w;" W_Y, R_Y "xor x0,x10,x10;add x13,x6,x0;lw x11,0(x13);"},
     MP,
     true,
     "x0 carries no dependency"},
    {"MP+ww+overwritten",
     {W_X "fence w,w;" W_Y, R_Y XOR "li x12,0;add x13,x6,x12;lw x11,0(x13);"},
     MP,
     true,
     "the register was written again by what does not depend"},
    {"MP+rl+aq", {W_X "amoswap.w.rl x0,x5,(x7);", "amoor.w.aq x10,x0,(x7);" R_X}, MP, false, "6 and 5"},
    {"MP+po+aq", {W_X "amoswap.w x0,x5,(x7);", "amoor.w.aq x10,x0,(x7);" R_X}, MP, true, "the stores are not ordered"},
    {"MP+rl+po", {W_X "amoswap.w.rl x0,x5,(x7);", "amoor.w x10,x0,(x7);" R_X}, MP, true, "the loads are not ordered"},
    {"MP+aq+rl", {W_X "amoswap.w.aq x0,x5,(x7);", "amoor.w.rl x10,x0,(x7);" R_X}, MP, true, "annotated the wrong way"},
    {"MP+sw.rl+lw.aq", {W_X "sw.rl x5,0(x7);", "lw.aq x10,0(x7);" R_X}, MP, false, "6 and 5"},
    {"MP+ww+lr.aq", {W_X "fence w,w;" W_Y, "lr.w.aq x10,(x7);" R_X}, MP, false, "5"},
    {"MP+ww+lr.rl", {W_X "fence w,w;" W_Y, "lr.w.rl x10,(x7);" R_X}, MP, true, "rl alone annotates no LR"},
    {"MP+ww+lr.aqrl", {W_X "fence w,w;" W_Y, "lr.w.aqrl x10,(x7);" R_X}, MP, false, "5: both bits annotate"},
    // store buffering
    {"SB", {SB_LEFT, W_Y R_X}, SB, true, "no rule orders a store and a later load"},
    {"SB+fences", {W_X "fence rw,rw;lw x11,0(x7);", W_Y "fence rw,rw;" R_X}, SB, false, "4"},
    {"SB+wr", {W_X "fence w,r;lw x11,0(x7);", W_Y "fence w,r;" R_X}, SB, false, "4"},
    {"SB+fence+po", {W_X "fence rw,rw;lw x11,0(x7);", W_Y R_X}, SB, true, "one side is not ordered"},
    {"SB+tsos", {W_X "fence.tso;lw x11,0(x7);", W_Y "fence.tso;" R_X}, SB, true, "fence.tso leaves W-R"},
    {"SB+ww", {W_X "fence rw,w;lw x11,0(x7);", W_Y "fence rw,w;" R_X}, SB, true, "fence rw,w orders no later load"},
    {"SB+fence.is", {W_X "fence.i;lw x11,0(x7);", W_Y "fence.i;" R_X}, SB, true, "fence.i orders no data"},
    {"SB+amo.aq",
     {"amoswap.w.aq x0,x5,(x6);lw x11,0(x7);", "amoswap.w.aq x0,x5,(x7);" R_X},
     SB,
     false,
     "5, of the AMO's store, too"},
    {"SB+amo.rl",
     {"amoswap.w.rl x0,x5,(x6);lw x11,0(x7);", "amoswap.w.rl x0,x5,(x7);" R_X},
     SB,
     true,
     "a release orders nothing after it"},
    {"SB+rcsc",
     {"amoswap.w.rl x0,x5,(x6);amoor.w.aq x11,x0,(x7);", "amoswap.w.rl x0,x5,(x7);amoor.w.aq x11,x0,(x6);"},
     SB,
     false,
     "7"},
    {"SB+amos",
     {"amoswap.w x0,x5,(x6);amoor.w x11,x0,(x7);", "amoswap.w x0,x5,(x7);amoor.w x11,x0,(x6);"},
     SB,
     true,
     "7 wants annotations"},
    {"SB+rcpc",
     {"sw.rl x5,0(x6);lw.aq x11,0(x7);", "sw.rl x5,0(x7);lw.aq x11,0(x6);"},
     SB,
     true,
     "sw.rl and lw.aq are RCpc: 7 is not for them"},
    {"SB+rfi-addrs",
     {W_X "lw x10,0(x6);" ADDR_R_Y, W_Y "lw x10,0(x7);" ADDR_R_X},
     SB " /\\ 0:x10=1 /\\ 1:x10=1",
     true,
     "the manual's store buffer forwarding: a load may forward from a plain store"},
    {"SB+amo-rfi-addrs",
     {"amoswap.w x0,x5,(x6);lw x10,0(x6);" ADDR_R_Y, "amoswap.w x0,x5,(x7);lw x10,0(x7);" ADDR_R_X},
     SB " /\\ 0:x10=1 /\\ 1:x10=1",
     false,
     "3, then 9"},
    {"SB+sc-addr+fence",
     {"lr.w x14,(x6);sc.w x10,x5,(x6);" ADDR_R_Y, W_Y "fence rw,rw;" R_X},
     SB " /\\ 0:x10=0",
     false,
     "9: the result of an SC that succeeds carries a dependency on it"},
    {"SB+sc-po+fence",
     {"lr.w x14,(x6);sc.w x10,x5,(x6);lw x11,0(x7);", W_Y "fence rw,rw;" R_X},
     SB " /\\ 0:x10=0",
     true,
     "an SC is no fence"},
    {"SB+sc-rfi-addr+fence",
     {"lr.w x14,(x6);sc.w x15,x5,(x6);lw x10,0(x6);" ADDR_R_Y, W_Y "fence rw,rw;" R_X},
     SB " /\\ 0:x15=0 /\\ 0:x10=1",
     false,
     "3 of an SC, then 9"},
    // load buffering
    {"LB", {LB_R_X W_Y, R_Y W_X}, LB, true, "no rule orders a load and a later store"},
    {"LB+datas", {LB_R_X DATA_W_Y, R_Y DATA_W_X}, LB, false, "10"},
    {"LB+addrs", {LB_R_X ADDR_W_Y, R_Y ADDR_W_X}, LB, false, "9"},
    {"LB+ctrls", {LB_R_X CTRL W_Y, R_Y CTRL W_X}, LB, false, "11: both ways of the branch are ordered"},
    {"LB+fences", {LB_R_X "fence r,w;" W_Y, R_Y "fence r,w;" W_X}, LB, false, "4"},
    {"LB+tsos", {LB_R_X "fence.tso;" W_Y, R_Y "fence.tso;" W_X}, LB, false, "4: fence.tso keeps R-W"},
    {"LB+data+po", {LB_R_X DATA_W_Y, R_Y W_X}, LB, true, "one side is not ordered"},
    {"LB+aqs", {"lw.aq x10,0(x6);" W_Y, "lw.aq x10,0(x7);" W_X}, LB, false, "5"},
    {"LB+rls", {LB_R_X "sw.rl x5,0(x7);", R_Y "sw.rl x5,0(x6);"}, LB, false, "6"},
    {"LB+addrpo+ctrl",
     {LB_R_X XOR "add x13,x8,x12;lw x14,0(x13);" W_Y, R_Y CTRL W_X},
     LB,
     false,
     "13: a store after a address that depends"},
    {"LB+datapo+ctrl", {LB_R_X DATA_W_Z W_Y, R_Y CTRL W_X}, LB, true, "13 needs an address, not data"},
    {"LB+data-rfi-data+ctrl",
     {LB_R_X DATA_W_Z "lw x10,0(x8);" DATA_W_Y, R_Y CTRL W_X},
     "1:x10=1 /\\ 0:x10=1 /\\ y=1 /\\ x=1 /\\ 0:x10=1",
     true,
     "0:x10 is the second load's here: it says nothing of the first one"},
    {"LB+data-rfi-data+ctrl, named",
     {"lw x14,0(x6);xor x12,x14,x14;ori x12,x12,1;sw x12,0(x8);lw x10,0(x8);" DATA_W_Y, R_Y CTRL W_X},
     "0:x14=1 /\\ 0:x10=1 /\\ 1:x10=1",
     false,
     "12, then 10"},
    {"LB+thin air", {LB_R_X "sw x10,0(x7);", R_Y "sw x10,0(x6);"}, LB, false, "nothing writes 1"},
    {"LB+lr-sc", // the manual: success of an SC depends on its LR
     {"lr.w x10,(x6);sc.w x14,x9,(x6);" W_Y, R_Y DATA_W_X},
     LB " /\\ 0:x14=0",
     true,
     "8 orders LR and SC, not what follows"},
    // S, R, 2+2W
    {"S", {"sw x9,0(x6);" W_Y, R_Y W_X}, S, true, "nothing is ordered"},
    {"S+ww+data", {"sw x9,0(x6);fence w,w;" W_Y, R_Y DATA_W_X}, S, false, "4, 10"},
    {"S+ww+ctrl", {"sw x9,0(x6);fence w,w;" W_Y, R_Y CTRL W_X}, S, false, "4, 11"},
    {"S+ww+po", {"sw x9,0(x6);fence w,w;" W_Y, R_Y W_X}, S, true, "the load and the store are not ordered"},
    {"S+po+data", {"sw x9,0(x6);" W_Y, R_Y DATA_W_X}, S, true, "the stores are not ordered"},
    {"R", {W_X W_Y, "sw x9,0(x7);" R_X}, R, true, "nothing is ordered"},
    {"R+fences", {W_X "fence rw,rw;" W_Y, "sw x9,0(x7);fence rw,rw;" R_X}, R, false, "4"},
    {"R+ww+tso", {W_X "fence w,w;" W_Y, "sw x9,0(x7);fence.tso;" R_X}, R, true, "fence.tso leaves W-R"},
    {"2+2W", {W_X "sw x9,0(x7);", W_Y "sw x9,0(x6);"}, WW, true, "nothing is ordered"},
    {"2+2W+wws", {W_X "fence w,w;sw x9,0(x7);", W_Y "fence w,w;sw x9,0(x6);"}, WW, false, "4"},
    {"2+2W+ww+po", {W_X "fence w,w;sw x9,0(x7);", W_Y "sw x9,0(x6);"}, WW, true, "one side is not ordered"},
    {"2+2W+rls", {W_X "sw.rl x9,0(x7);", W_Y "sw.rl x9,0(x6);"}, WW, false, "6"},
    // more threads: a store is seen by all others at once
    {"WRC", {W_X, LB_R_X W_Y, R_Y R_X}, WRC, true, "nothing is ordered"},
    {"WRC+data+addr", {W_X, LB_R_X DATA_W_Y, R_Y ADDR_R_X}, WRC, false, "10, 9, and one global order"},
    {"WRC+ctrl+addr", {W_X, LB_R_X CTRL W_Y, R_Y ADDR_R_X}, WRC, false, "11, 9, and one global order"},
    {"WRC+data+po", {W_X, LB_R_X DATA_W_Y, R_Y R_X}, WRC, true, "the last loads are not ordered"},
    {"WRC+po+addr", {W_X, LB_R_X W_Y, R_Y ADDR_R_X}, WRC, true, "the middle thread is not ordered"},
    {"IRIW", {W_X, LB_R_X "lw x11,0(x7);", W_Y, R_Y R_X}, IRIW, true, "the loads are not ordered"},
    {"IRIW+addrs", {W_X, LB_R_X ADDR_R_Y, W_Y, R_Y ADDR_R_X}, IRIW, false, "9, and one global order"},
    {"IRIW+rrs",
     {W_X, LB_R_X "fence r,r;lw x11,0(x7);", W_Y, R_Y "fence r,r;" R_X},
     IRIW,
     false,
     "4, and one global order"},
    {"IRIW+addr+po", {W_X, LB_R_X ADDR_R_Y, W_Y, R_Y R_X}, IRIW, true, "one reader is not ordered"},
    {"ISA2", {W_X "fence w,w;" W_Y, R_Y DATA_W_Z, R_Z_10 ADDR_R_X}, ISA2, false, "4, 10, 9"},
    {"ISA2+po", {W_X "fence w,w;" W_Y, R_Y DATA_W_Z, R_Z_10 R_X}, ISA2, true, "the last loads are not ordered"},
    // one address
    {"CoRR", {W_X, LB_R_X R_X}, "1:x10=1 /\\ 1:x11=0", false, "2"},
    {"CoRR+store",
     {W_X, LB_R_X "sw x9,0(x6);" R_X},
     "1:x11=0",
     false,
     "load value: its own store is before it in program order"},
    {"CoWW", {W_X "sw x9,0(x6);"}, "x=1", false, "1"},
    {"CoRW1", {LB_R_X W_X}, "0:x10=1", false, "1"},
    {"CoRW2", {W_X, LB_R_X "sw x9,0(x6);"}, "1:x10=1 /\\ x=1", false, "1"},
    {"CoWR", {W_X LB_R_X, "sw x9,0(x6);"}, "0:x10=2 /\\ x=1", false, "load value, with 2 before 1 in memory"},
    {"RSW",
     {W_X "fence w,w;" W_Y,
      R_Y XOR "add x13,x8,x12;lw x14,0(x13);lw x15,0(x8);xor x16,x15,x15;add x17,x6,x16;lw x11,0(x17);"},
     MP " /\\ 1:x14=0 /\\ 1:x15=0",
     true,
     "the manual's RSW: 2 wants different writes"},
    {"RDW",
     {W_X "fence w,w;" W_Y,
      R_Y XOR "add x13,x8,x12;lw x14,0(x13);lw x15,0(x8);xor x16,x15,x15;add x17,x6,x16;lw x11,0(x17);",
      "sw x5,0(x8);"},
     MP " /\\ 1:x14=0 /\\ 1:x15=1",
     false,
     "9, 2, 9"},
    {"PPOCA",
     {W_X "fence w,w;" W_Y, R_Y CTRL "sw x5,0(x8);lw x14,0(x8);xor x16,x14,x14;add x17,x6,x16;lw x11,0(x17);"},
     MP " /\\ 1:x14=1",
     true,
     "a store after a branch may be forwarded before the branch: 12 needs address or data"},
    {"PPOAA",
     {W_X "fence w,w;" W_Y,
      R_Y XOR "add x13,x8,x12;sw x5,0(x13);lw x14,0(x8);xor x16,x14,x14;add x17,x6,x16;lw x11,0(x17);"},
     MP " /\\ 1:x14=1",
     false,
     "12, then 9"},
    {"PPODA",
     {W_X "fence w,w;" W_Y, R_Y DATA_W_Z "lw x14,0(x8);xor x16,x14,x14;add x17,x6,x16;lw x11,0(x17);"},
     MP " /\\ 1:x14=1",
     false,
     "12, then 9"},
    // LR, SC, AMO
    {"SC between",
     {"lr.w x10,(x6);sc.w x11,x5,(x6);", "sw x9,0(x6);"},
     "0:x10=0 /\\ 0:x11=0 /\\ x=1",
     false,
     "atomicity: 2 lies between what the LR read and the SC"},
    {"SC behind",
     {"lr.w x10,(x6);sc.w x11,x5,(x6);", "sw x9,0(x6);"},
     "0:x10=2 /\\ 0:x11=0 /\\ x=1",
     true,
     "the LR read the 2"},
    {"SC before",
     {"lr.w x10,(x6);sc.w x11,x5,(x6);", "sw x9,0(x6);"},
     "0:x10=0 /\\ 0:x11=0 /\\ x=2",
     true,
     "the 2 comes behind both"},
    {"SC fails alone", {"lr.w x10,(x6);sc.w x11,x5,(x6);"}, "0:x11=1 /\\ x=0", true, "an SC may fail without a reason"},
    {"SC fails, stores",
     {"lr.w x10,(x6);sc.w x11,x5,(x6);"},
     "0:x11=1 /\\ x=1",
     false,
     "an SC that fails does not store"},
    {"SC unpaired", {"sc.w x11,x5,(x6);"}, "x=1", false, "no LR: an SC without a reservation fails"},
    {"SC twice", {"lr.w x10,(x6);sc.w x11,x5,(x6);sc.w x12,x9,(x6);"}, "x=2", false, "the first SC ends the pair"},
    {"SC own store",
     {"lr.w x10,(x6);sw x9,0(x6);sc.w x11,x5,(x6);"},
     "0:x11=0 /\\ x=1",
     true,
     "atomicity forbids other harts' stores alone"},
    {"SC's",
     {"lr.w x10,(x6);sc.w x11,x5,(x6);", "lr.w x10,(x6);sc.w x11,x9,(x6);"},
     "0:x10=0 /\\ 1:x10=0 /\\ 0:x11=0 /\\ 1:x11=0",
     false,
     "atomicity: one of them is between"},
    {"AMOs", {"amoadd.w x10,x5,(x6);", "amoadd.w x10,x5,(x6);"}, "x=1", false, "an AMO reads and writes at once"},
    {"AMOs, min",
     {"amomin.w x10,x9,(x6);amomaxu.w x11,x5,(x6);"},
     "x=1 /\\ 0:x10=0 /\\ 0:x11=0",
     true,
     "min(0, 2), then max(0, 1)"},
    {"LB+lr-sc+data",
     {"lr.w x10,(x6);sc.w x14,x5,(x7);", R_Y DATA_W_X},
     LB " /\\ 0:x14=0",
     false,
     "8, also of two addresses"},
    {"SC and forwarded LR",
     {W_X "lr.w.aq x10,(x6);sc.w x14,x9,(x6);lw x11,0(x7);", W_Y "fence w,w;li x10,3;sw x10,0(x6);"},
     "0:x10=1 /\\ 0:x14=0 /\\ 0:x11=0 /\\ x=2",
     true,
     "the 3 comes after the LR, but before the store that it forwards from"},
    {"SC elsewhere and forwarded LR",
     {W_X "lr.w.aq x10,(x6);sc.w x14,x9,(x8);lw x11,0(x7);", W_Y "fence w,w;li x10,3;sw x10,0(x6);"},
     "0:x10=1 /\\ 0:x14=0 /\\ 0:x11=0 /\\ x=1",
     true,
     "likewise: the SC waits for that store"},
    {"SC before the LR's store",
     {W_X "lr.w x10,(x6);sc.w x14,x5,(x7);", R_Y "fence r,r;" R_X},
     "0:x10=1 /\\ 0:x14=0 /\\ " MP,
     false,
     "atomicity: what the LR read is before the SC"},
    {"MP+ww+po-lr.rl", {W_X "fence w,w;" W_Y, R_Y "lr.w.rl x11,(x6);"}, MP, true, "rl alone annotates no LR"},
    {"MP+ww+po-lr.aqrl", {W_X "fence w,w;" W_Y, R_Y "lr.w.aqrl x11,(x6);"}, MP, false, "6: both bits annotate"},
    {"SB+sc.aq+fence",
     {"lr.w x14,(x6);sc.w.aq x10,x5,(x6);lw x11,0(x7);", W_Y "fence rw,rw;" R_X},
     SB " /\\ 0:x10=0",
     true,
     "aq alone annotates no SC"},
    {"SB+sc.aqrl+fence",
     {"lr.w x14,(x6);sc.w.aqrl x10,x5,(x6);lw x11,0(x7);", W_Y "fence rw,rw;" R_X},
     SB " /\\ 0:x10=0",
     false,
     "5: both bits annotate"},
    {"MP+ww+failed SC",
     {W_X "fence w,w;" W_Y, R_Y "lr.w x14,(x8);sc.w x15,x5,(x8);xor x12,x15,x15;add x13,x6,x12;lw x11,0(x13);"},
     MP " /\\ 1:x15=1",
     true,
     "an SC that fails is no operation: nothing depends on it"},
    // sizes; x is a word, and its neighbour up to 64 bytes belongs to it
    {"half of sd",
     {"li x10,-1;sd x10,0(x6);", "ld x10,0(x6);"},
     "1:x10=0xffffffff",
     false,
     "a store is not seen in part"},
    {"two halves", {W_X "sw x5,4(x6);", "ld x10,0(x6);"}, "1:x10=0x100000000", true, "the stores are not ordered"},
    {"two halves+ww", {W_X "fence w,w;sw x5,4(x6);", "ld x10,0(x6);"}, "1:x10=0x100000000", false, "4"},
    {"half forwarded", {"sw x5,4(x6);ld x10,0(x6);", W_X}, "0:x10=0x100000000", true, "memory has no 1 in x yet"},
    {"overlap", {"sw x5,4(x6);sd x9,0(x6);lw x10,4(x6);"}, "0:x10=1", false, "1: the sd is after the sw"},
    {"CoRR, sizes", {"sd x5,0(x6);", "lw x10,0(x6);lb x11,0(x6);"}, "1:x10=1 /\\ 1:x11=0", false, "2, of a byte"},
    {"CoRR, other halves",
     {"sd x9,0(x6);li x10,-1;sd x10,0(x6);", "lw x10,4(x6);lw x11,0(x6);"},
     "1:x10=-1 /\\ 1:x11=2",
     true,
     "2 wants a byte that both read"},
};

static void print_code(FILE *out, const struct row *row) {
    size_t left = 0;
    const char *at[4];
    unsigned threads = 0;
    for (; threads < 4 && row->threads[threads]; threads++) {
        at[threads] = row->threads[threads];
        fprintf(out, threads ? "| P%u" : "P%u", threads);
        left += strlen(at[threads]);
    }
    fputs(";\n", out);
    while (left) {
        left = 0;
        for (unsigned i = 0; i < threads; i++) {
            const size_t bytes = strcspn(at[i], ";");
            fprintf(out, i ? "| %.*s" : "%.*s", (int)bytes, at[i]);
            at[i] += bytes + (at[i][bytes] == ';');
            left += strlen(at[i]);
        }
        fputs(";\n", out);
    }
}

static struct litmus_test *parse(const struct row *row) {
    char *text;
    size_t bytes;
    struct error err = {""};
    FILE *out = open_memstream(&text, &bytes);
    fputs("RISCV test\n{", out);
    for (unsigned i = 0; i < 4 && row->threads[i]; i++)
        fprintf(out, "%u:x5=1;%u:x9=2;%u:x6=x;%u:x7=y;%u:x8=z;", i, i, i, i, i);
    fputs("}\n", out);
    print_code(out, row);
    fprintf(out, "exists (%s)\n", row->condition);
    fclose(out);
    struct litmus_test *t = litmus_parse(text, row->name, &err);
    if (!t) fail_msg("%s\n%s", err.text, text);
    free(text);
    return t;
}

static void test_verdicts(void **unused) {
    (void)unused;
    unsigned wrong = 0;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct error err = {""};
        struct litmus_test *t = parse(&rows[i]);
        struct litmus_states *s = litmus_allowed(t, rows[i].name, &err);
        if (!s) fail_msg("%s", err.text);
        if (litmus_judge(s, NULL).holds != rows[i].allowed) {
            print_error("%s: should be %s: %s\n", rows[i].name, rows[i].allowed ? "allowed" : "forbidden", rows[i].why);
            wrong++;
        }
        litmus_states_destroy(s);
        litmus_destroy(t);
    }
    assert_int_equal(wrong, 0);
}

static int times(const char *text, const char *word) {
    int count = 0;
    for (; (text = strstr(text, word)); text++)
        count++;
    return count;
}

// Loads and stores that RV64GC has not become fences: what was forbidden stays so, and nothing else is left of them.
static void test_lowered(void **unused) {
    (void)unused;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct error err = {""};
        struct litmus_test *t = parse(&rows[i]);
        int has = 0;
        for (unsigned k = 0; k < 4 && rows[i].threads[k]; k++)
            has += times(rows[i].threads[k], "sw.rl") + times(rows[i].threads[k], "lw.aq");
        assert_int_equal(litmus_lower(t, rows[i].name, &err), has);
        assert_int_equal(litmus_lower(t, rows[i].name, &err), 0);
        struct litmus_states *s = litmus_allowed(t, rows[i].name, &err);
        assert_non_null(s);
        if (!has || !rows[i].allowed) assert_int_equal(litmus_judge(s, NULL).holds, rows[i].allowed);
        litmus_states_destroy(s);
        litmus_destroy(t);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_verdicts), cmocka_unit_test(test_lowered)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
