// Types of the in-order core, and its decoder: RV64IM with Zicsr and Zifencei, machine mode only.
package inorder_pkg;
  localparam int unsigned Entries = 8;  // of the scoreboard
  typedef logic [63:0] word_t;
  typedef logic [2:0] place_t;          // in the scoreboard
  typedef logic [3:0] tail_t;           // ... with a wrap bit on top

  typedef enum logic [3:0] { ALU, BRANCH, JUMP, MUL, DIV, LOAD, STORE, CSR, MRET, ECALL, EBREAK, WFI, FENCE, FENCE_I,
                            ILLEGAL } kind_e;

  typedef struct packed {
    kind_e kind;
    logic [2:0] op;       // funct3
    logic alternate;      // sub, sra
    logic narrow;         // the low 32 bits, sign-extended
    logic from_pc;        // first operand: the instruction's address
    logic from_zero;      // ... 0
    logic immediate;      // second operand
    logic reads1, reads2, writes;
    logic [4:0] rs1, rs2, rd;
    word_t imm;
  } decoded_t;

  // What the front end delivers: the two instructions of eight aligned bytes.
  typedef struct packed {
    logic [1:0] valid;
    word_t pc;            // of the eight bytes
    logic [1:0][31:0] insn;
    logic taken;          // the last valid one is predicted to jump
    word_t target;
    logic missed;         // the instruction cache missed
  } packet_t;

  typedef struct packed {
    logic valid;
    place_t place;
    word_t pc;
    decoded_t d;
    word_t a, b;
    logic taken;          // predicted
    word_t target;
  } execute_t;

  typedef struct packed {
    logic valid;
    place_t place;
    word_t result;        // STORE: the datum
    word_t address;       // of memory instructions
    logic mispredict;
    logic fault;          // misaligned
  } done_t;

  // What the scoreboard holds of an instruction.
  typedef struct packed {
    kind_e kind;
    logic [2:0] op;
    logic writes;
    logic [4:0] rd;
    word_t pc;
    logic [31:0] insn;
    word_t result, address;
    logic mispredict;
    logic fault;
  } entry_t;

  // The scoreboard as the issue stage sees it: a ring in the order of age.
  typedef struct packed {
    entry_t [Entries-1:0] entry;
    logic [Entries-1:0] done;
    tail_t head;
    logic [3:0] count;
  } window_t;

  // A branch or jump that has been resolved: what the predictor learns.
  typedef struct packed {
    logic valid;
    logic wrong;
    logic computed;       // jalr
    logic taken;
    word_t pc, target;    // target: where it goes
  } resolved_t;

  typedef struct packed {
    logic valid;
    word_t address, data;
    logic [2:0] size;     // log2 of bytes
  } store_t;

  // What the core shows of itself, each cycle: commit ports in the order of age, [0] the oldest.
  typedef struct packed {
    logic [1:0] occupied;       // in the scoreboard, finished or not
    logic [1:0] finished;
    logic [1:0] retire;
    logic [1:0] mispredict;
    logic [1:0] flush;
    word_t [1:0] pc;
    logic [1:0][31:0] insn;
    place_t [1:0] place;
    logic trap;                 // the oldest one traps
    logic trap_interrupt;
    logic [5:0] trap_cause;
    logic unwinding;            // gives back what is in the scoreboard, an entry a cycle: it is dead
    logic [1:0] waiting;        // slots of the packet at the issue stage, by address: [1] may wait alone
    logic [1:0] issue;
    word_t [1:0] issue_pc;
    place_t [1:0] issue_place;
    logic [1:0] issue_missed;
    tail_t tail;                // where the next one goes
    logic redirect;             // the front end restarts and drops what it has fetched
    logic fetched;
    word_t fetched_pc;
    logic load_missed;
    place_t load_place;
  } probe_t;

  function automatic decoded_t decode(input logic [31:0] i);
    decode = '0;
    decode.op = i[14:12];
    decode.rs1 = i[19:15];
    decode.rs2 = i[24:20];
    decode.rd = i[11:7];
    decode.imm = {{52{i[31]}}, i[31:20]};
    case (i[6:0])
      7'h37, 7'h17: begin  // lui, auipc
        decode.op = 3'd0;
        decode.from_pc = !i[5];
        decode.from_zero = i[5];
        {decode.immediate, decode.writes} = 2'b11;
        decode.imm = {{32{i[31]}}, i[31:12], 12'd0};
      end
      7'h6f: begin
        decode.kind = JUMP;
        {decode.from_pc, decode.writes} = 2'b11;
        decode.imm = {{44{i[31]}}, i[19:12], i[20], i[30:21], 1'b0};
      end
      7'h67: begin
        decode.kind = JUMP;
        {decode.reads1, decode.writes} = 2'b11;
      end
      7'h63: begin
        decode.kind = BRANCH;
        {decode.reads1, decode.reads2} = 2'b11;
        decode.imm = {{52{i[31]}}, i[7], i[30:25], i[11:8], 1'b0};
      end
      7'h03: begin
        decode.kind = LOAD;
        {decode.reads1, decode.writes} = 2'b11;
      end
      7'h23: begin
        decode.kind = STORE;
        {decode.reads1, decode.reads2} = 2'b11;
        decode.imm = {{52{i[31]}}, i[31:25], i[11:7]};
      end
      7'h13, 7'h1b: begin
        {decode.immediate, decode.reads1, decode.writes} = 3'b111;
        decode.narrow = i[3];
        decode.alternate = i[30] && i[14:12] == 3'd5;
      end
      7'h33, 7'h3b: begin
        {decode.reads1, decode.reads2, decode.writes} = 3'b111;
        decode.narrow = i[3];
        decode.alternate = i[30];
        if (i[25]) decode.kind = i[14] ? DIV : MUL;
      end
      7'h0f: decode.kind = i[12] ? FENCE_I : FENCE;
      7'h73:
        if (i[14:12] != '0) begin
          decode.kind = CSR;
          decode.reads1 = !i[14];
          decode.writes = 1'b1;
        end else
          case (i[31:20])
            12'h000: decode.kind = ECALL;
            12'h001: decode.kind = EBREAK;
            12'h302: decode.kind = MRET;
            12'h105: decode.kind = WFI;
            default: decode.kind = ILLEGAL;
          endcase
      default: decode.kind = ILLEGAL;
    endcase
    if (decode.rd == '0) decode.writes = 1'b0;
  endfunction

  // Commits alone and throws away what is younger.
  function automatic logic serial(input kind_e kind);
    serial = kind == CSR || kind == MRET || kind == WFI || kind == FENCE_I || kind == ECALL || kind == EBREAK ||
             kind == ILLEGAL;
  endfunction
endpackage
