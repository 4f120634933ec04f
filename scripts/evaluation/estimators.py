"""From sampled cycles to a profile: the ways to use what is known beside the samples, and the variance that theory gives each. a: an Attribution; profiles are parts of the time by unit."""
import math

import numpy


def _sums(a, at):
    """By unit, over the sampled cycles: shares; shares by the whole exposed time of the execution, whose expectation is the number of executions (Horvitz and Thompson 1952)."""
    rows = a.record[at]
    units, share = a.unit[rows].ravel(), a.share[rows]
    size = len(a.truth)
    return numpy.bincount(units, weights=share.ravel(), minlength=size), numpy.bincount(units, weights=(share / a.exposed[rows]).ravel(), minlength=size)


def plain(a, at):
    shares, _ = _sums(a, at)
    return shares / shares.sum()


def each(a, at):
    """Sampled time of an execution, by unit; 0: none sampled."""
    shares, executions = _sums(a, at)
    return shares, numpy.divide(shares, executions, out=numpy.zeros_like(shares), where=executions > 0)


def counted(a, at):
    """Exact executions times the sampled time of one. A unit that is executed and not sampled gets half of a commit's usual share each time."""
    shares, time = each(a, at)
    usual = a.truth[a.executions > 0].sum() * a.cycles / a.executions.sum() / 4
    found = numpy.where(time > 0, a.executions * time, a.executions * usual)
    found = numpy.where(a.executions > 0, found, shares * a.cycles / len(at))
    return found / found.sum()


def pooled(a, at):
    """Units of a block are executed equally often: the block's sampled time, parted by the sampled time of one execution of each."""
    shares, time = each(a, at)
    size = len(a.truth)
    block, once = numpy.bincount(a.block, weights=shares, minlength=size), numpy.bincount(a.block, weights=time, minlength=size)
    found = numpy.where(once[a.block] > 0, block[a.block] * time / numpy.maximum(once[a.block], 1e-300), shares)
    return found / found.sum()


def commits(a, at, counted):
    """What `tipoff report --pool` does (csrc/analysis/pool.h), on chains: time in Computing = executions x share of a commit, waits as sampled. Executions: the chain's mean of sampled commits, or exact."""
    rows, size = a.record[at], len(a.truth)
    computing, units, share = a.state[rows] == 0, a.unit[rows], a.share[rows]
    of = lambda which, weight: numpy.bincount(units[which].ravel(), weights=weight[which].ravel(), minlength=size)
    times, seen, waits = of(computing, share), of(computing, (share > 0).astype(float)), of(~computing, share)
    if not seen.sum():
        return plain(a, at)
    executions = (
        a.executions
        if counted
        else (numpy.bincount(a.block, weights=seen, minlength=size) / numpy.maximum(numpy.bincount(a.block, minlength=size), 1))[a.block]
    )
    found = executions * (times + times.sum() / seen.sum() / 2) / (seen + 0.5)
    found = found * (times.sum() / found.sum()) + waits
    return found / found.sum()


def blocks(a, at):
    return commits(a, at, False)


def counts(a, at):
    return commits(a, at, True)


def error(a, profile):
    return 1 - numpy.minimum(profile, a.truth).sum()


# ---- theory ----
def binomial(draws, probability):
    """E|X - np|: de Moivre's closed form."""
    if not 0 < probability < 1:
        return 0.0
    m = min(math.floor(draws * probability) + 1, draws)
    ways = math.lgamma(draws + 1) - math.lgamma(m + 1) - math.lgamma(draws - m + 1)
    return 2 * m * math.exp(ways + m * math.log(probability) + (draws - m + 1) * math.log1p(-probability))


def floor(a, draws):
    """Expected error of that many independent draws."""
    size = numpy.divide(a.square, a.truth, out=numpy.ones_like(a.truth), where=a.truth > 0)
    return sum(v * binomial(draws, p / v) for p, v in zip(a.truth, size) if p > 0) / draws / 2


def _ratio(a, variance):
    """Of a sum of standard deviations to that of independent draws, all for one draw."""
    return numpy.sqrt(numpy.maximum(variance, 0)).sum() / numpy.sqrt(a.square - a.truth**2).sum()


def stratified_theory(a, period):
    """Without what the means of the intervals differ by: V = (E f^2 - mean of (mean of f in an interval)^2) / N."""
    count = a.cycles // period
    whole = a.record[: count * period]
    interval = numpy.repeat(numpy.arange(count), period)
    size, squares = len(a.truth), numpy.zeros(len(a.truth))
    weights, keys = [], []
    for lane in range(a.unit.shape[1]):
        owned = a.share[whole, lane] > 0
        keys.append(interval[owned] * size + a.unit[whole, lane][owned])
        weights.append(a.share[whole, lane][owned])
    found, inverse = numpy.unique(numpy.concatenate(keys), return_inverse=True)
    means = numpy.bincount(inverse, weights=numpy.concatenate(weights)) / period
    numpy.add.at(squares, found % size, means**2)
    return _ratio(a, a.square - squares / count)


def consecutive_theory(a, many):
    """V = (c_0 + 2 sum over d < k of (1 - d/k) c_d) / k / N with the autocovariances c_d."""
    variance = a.square - a.truth**2
    total = variance.copy()
    for gap in range(1, many):
        first, second = a.record[:-gap], a.record[gap:]
        product = numpy.zeros(len(a.truth))
        for x in range(a.unit.shape[1]):
            for y in range(a.unit.shape[1]):
                same = (a.unit[first, x] == a.unit[second, y]) & (a.share[first, x] > 0) & (a.share[second, y] > 0)
                product += numpy.bincount(a.unit[first, x][same], weights=(a.share[first, x] * a.share[second, y])[same], minlength=len(a.truth))
        total += 2 * (1 - gap / many) * (product / len(first) - a.truth**2)
    return _ratio(a, total / many)


def _usual(a):
    return numpy.divide(a.truth * a.cycles, a.executions, out=numpy.zeros_like(a.truth), where=a.executions > 0)


def counted_theory(a):
    """V = E[f^2 (1 - t/e)^2] / N, e the time of the sampled execution and t the mean one: 0 where all executions take equally long."""
    weight = numpy.bincount(a.record, minlength=len(a.unit))[:, None]
    off = a.share * (1 - _usual(a)[a.unit] / a.exposed)
    return _ratio(a, numpy.bincount(a.unit.ravel(), weights=(off**2 * weight).ravel(), minlength=len(a.truth)) / a.cycles)


def pooled_theory(a):
    """V of w (F - G) + g: f and g = f (1 - t/e) of the unit, F and G their sums over its block, w its part of the block's time (the estimate, linearised)."""
    size, weight = len(a.truth), numpy.bincount(a.record, minlength=len(a.unit))
    own = a.share * (1 - _usual(a)[a.unit] / a.exposed)
    block = a.block[a.unit]
    alike = (block[:, :, None] == block[:, None, :]) & (a.share[:, None, :] > 0)
    rest = (alike * (a.share - own)[:, None, :]).sum(axis=2)  # F - G of each lane's block
    times = numpy.bincount(a.block, weights=a.truth, minlength=size)[a.block]
    part = numpy.divide(a.truth, times, out=numpy.zeros_like(times), where=times > 0)
    first = alike.argmax(axis=2) == numpy.arange(block.shape[1])[None, :]  # a block counts once a record
    first &= a.share > 0
    whole = numpy.bincount(block[first], weights=(rest**2 * weight[:, None])[first], minlength=size) / a.cycles
    mixed = numpy.bincount(a.unit.ravel(), weights=(rest * own * weight[:, None]).ravel(), minlength=size) / a.cycles
    mine = numpy.bincount(a.unit.ravel(), weights=(own**2 * weight[:, None]).ravel(), minlength=size) / a.cycles
    return _ratio(a, part**2 * whole[a.block] + 2 * part * mixed + mine - a.truth**2)


def commits_theory(a, counted):
    """V of c - s k + w, c the share in Computing, k 1 for a commit, s = E c / E k, w the share of waits; where executions are the chain's mean m of k, of s m + c - s k + w (linearised)."""
    size, weight = len(a.truth), numpy.bincount(a.record, minlength=len(a.unit))[:, None]
    computing = (a.state == 0)[:, None]
    of = lambda value: numpy.bincount(a.unit.ravel(), weights=(value * weight).ravel(), minlength=size) / a.cycles
    commit = ((a.share > 0) & computing).astype(float)
    usual = numpy.divide(of(a.share * computing), of(commit), out=numpy.zeros(size), where=of(commit) > 0)
    own, wait = numpy.where(commit > 0, a.share - usual[a.unit], 0), numpy.where(computing, 0, a.share)
    variance = of(own**2) + of(wait**2)
    if counted:
        return _ratio(a, variance - of(wait) ** 2)
    block, length = a.block[a.unit], numpy.bincount(a.block, minlength=size)[a.block]
    alike = (block[:, :, None] == block[:, None, :]) & (commit[:, None, :] > 0)
    mean = alike.sum(axis=2) / length[a.unit]
    first = (alike.argmax(axis=2) == numpy.arange(block.shape[1])[None, :]) & (commit > 0)  # a chain counts once a record
    whole = numpy.bincount(block[first], weights=(mean**2 * weight)[first], minlength=size) / a.cycles
    return _ratio(a, variance + usual**2 * whole[a.block] + 2 * usual * of(mean * own) - a.truth**2)
