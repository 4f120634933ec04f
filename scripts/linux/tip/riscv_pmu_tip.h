/*
 * Samples of the TIP unit in the place of the interrupted pc.
 *
 * SPDX-License-Identifier: GPL-2.0
 *
 * Included by riscv_pmu_sbi.c (riscv_pmu_sbi.patch puts the calls in). Where the counter that overflowed is the one that
 * samples, a perf sample is written for each instruction of each sample that the unit holds:
 *
 *   ip, cpumode   the sampled instruction's address and mode
 *   period        the event's, once for each trigger that the sample stands for, in equal parts for its instructions
 *   weight        vector 15:0 (tables/events.tsv), state 17:16, TIP_WEIGHT_HIDDEN, TIP_WEIGHT_SAMPLED
 *
 * Samples come one period apart on average, each up to an eighth of it later than its turn: at equal distances from the end of a wait, which is
 * where the interrupt comes, they would meet a loop at the same places again and again.
 *
 * A sample of another address space, of a mode that the event excludes or of M-mode, whose address reads 0 here, does not fit: ip stays the
 * interrupted pc, and the weight shows it. A counter that does not sample is left alone, and its weight stays 0.
 */
#include <linux/perf_event.h>
#include <asm/csr.h>
#include "riscv_pmu_tip_csrs.h" /* addresses and fields of the registers, from tables/csrs.tsv and csr_fields.tsv */

#define TIP_MODE_U		0
#define TIP_MODE_S		1
#define TIP_LANES		8
#define TIP_WEIGHT_STATE	16
#define TIP_WEIGHT_HIDDEN	BIT(18)
#define TIP_WEIGHT_SAMPLED	BIT(19)

struct tip_sample {
	u64 data, space, triggers;
	u64 address[TIP_LANES], vectors[TIP_LANES / 4];
};

/*
 * The oldest sample of this counter that is complete, which then gives way to the next. A read of a register costs the core some eight cycles:
 * only what the sample has is read.
 */
static bool tip_take(struct tip_sample *s, int counter)
{
	u64 repeat;

	s->data = csr_read(CSR_SHPMSDATA);
	if (!SHPMSDATA_READY(s->data) || SHPMSDATA_COUNTER(s->data) != (u64)counter)
		return false;
	s->space = csr_read(CSR_TIPOFF_SPACE);
	repeat = csr_read(CSR_TIPOFF_REPEAT);
	s->triggers = 1 + (u32)repeat + (repeat >> 32);
	s->vectors[0] = csr_read(CSR_TIPOFF_PSV0);
	s->address[0] = csr_read(CSR_TIPOFF_ADDR0);
	if (SHPMSDATA_VALID(s->data) >> 1)
		s->address[1] = csr_read(CSR_TIPOFF_ADDR1);
	if (SHPMSDATA_VALID(s->data) >> 2) {
		s->address[2] = csr_read(CSR_TIPOFF_ADDR2);
		s->address[3] = csr_read(CSR_TIPOFF_ADDR3);
	}
	if (SHPMSDATA_VALID(s->data) >> 4) {
		s->vectors[1] = csr_read(CSR_TIPOFF_PSV1);
		s->address[4] = csr_read(CSR_TIPOFF_ADDR4);
		s->address[5] = csr_read(CSR_TIPOFF_ADDR5);
		s->address[6] = csr_read(CSR_TIPOFF_ADDR6);
		s->address[7] = csr_read(CSR_TIPOFF_ADDR7);
	}
	csr_write(CSR_SHPMSDATA, 0);
	return true;
}

/* What an event before this one has left. */
static void tip_forget(int counter)
{
	struct tip_sample s;

	while (tip_take(&s, counter))
		;
}

static bool tip_fits(const struct perf_event *event, const struct tip_sample *s)
{
	u64 satp = csr_read(CSR_SATP);

	if (s->space != (satp >> 60 ? satp & GENMASK_ULL(43, 0) : 0))
		return false;
	return (SHPMSDATA_MODE(s->data) == TIP_MODE_U && !event->attr.exclude_user) ||
	       (SHPMSDATA_MODE(s->data) == TIP_MODE_S && !event->attr.exclude_kernel);
}

/* regs are the interrupted ones: of each record its own in their place, then they are put back. */
static void tip_write(struct perf_event *event, const struct tip_sample *s, struct pt_regs *regs, u64 period)
{
	unsigned int valid = SHPMSDATA_VALID(s->data), lanes = valid & (valid - 1) ? hweight8(valid) : 1, lane, done = 0;
	u64 flags = SHPMSDATA_STATE(s->data) << TIP_WEIGHT_STATE | TIP_WEIGHT_SAMPLED, total = s->triggers * period, before = 0, part;
	unsigned long epc = regs->epc, status = regs->status;
	bool fits = tip_fits(event, s);
	struct perf_sample_data data;

	if (fits)
		regs->status = SHPMSDATA_MODE(s->data) == TIP_MODE_U ? status & ~SR_SPP : status | SR_SPP;
	else
		flags |= TIP_WEIGHT_HIDDEN;
	for (lane = 0; valid; lane++, valid >>= 1) {
		if (!(valid & 1))
			continue;
		/* parts of it whose sum it is; a division takes long */
		done++;
		part = done == lanes ? total : total * done / lanes;
		perf_sample_data_init(&data, 0, part - before);
		before = part;
		data.weight.full = (s->vectors[lane / 4] >> (lane % 4 * 16) & 0xffff) | flags;
		data.sample_flags |= PERF_SAMPLE_WEIGHT_TYPE;
		if (fits)
			regs->epc = s->address[lane];
		/* The first accounts for the interrupt. */
		if (done == 1)
			perf_event_overflow(event, &data, regs);
		else
			READ_ONCE(event->overflow_handler)(event, &data, regs);
	}
	regs->epc = epc;
	regs->status = status;
}

/* Moves the next overflow from this one's delay to another at random. */
static void tip_vary(struct hw_perf_event *hwc)
{
	static u32 random = 1, delay;
	u32 most = min_t(u64, hwc->last_period / 8, U32_MAX), next;
	s64 more;

	if (!most)
		return;
	random ^= random << 13;
	random ^= random >> 17;
	random ^= random << 5;
	next = (u64)random * most >> 32;
	more = (s64)next - delay;
	if (local64_read(&hwc->period_left) + more <= 0)
		return;
	delay = next;
	local64_add(more, &hwc->period_left);
	local64_sub(more, &hwc->prev_count); /* which is minus what is left */
}

static void tip_overflow(struct perf_event *event, int counter, struct perf_sample_data *data, struct pt_regs *regs)
{
	struct tip_sample s;
	bool any = false;

	while (tip_take(&s, counter)) {
		tip_write(event, &s, regs, event->hw.last_period);
		any = true;
	}
	if (any)
		tip_vary(&event->hw);
	else
		perf_event_overflow(event, data, regs);
}
