type Mark = { at: number; lsn: bigint }

/**
 * How old the answers of a replica may be, in milliseconds of one clock alone, which is ours. Whatever was acknowledged before
 * the primary was asked how far it had written lies before that place; a replica that has replayed up to there has all of it.
 */
export class Lag {
  private readonly keptMs: number
  /** Oldest first; places that the replica has not reached yet. */
  private marks: Mark[] = []
  private freshAt = Number.NEGATIVE_INFINITY

  /** What is older than `keptMs` is of no use to whoever asks. */
  constructor(keptMs: number) {
    this.keptMs = keptMs
  }

  /** The primary said `lsn` when it was asked at `at`. */
  mark(at: number, lsn: bigint): void {
    this.marks = this.marks.filter((mark) => mark.at >= at - this.keptMs)
    this.marks.push({ at, lsn })
  }

  /** The replica has replayed everything before `lsn`. */
  replayed(lsn: bigint): void {
    for (const mark of this.marks)
      if (mark.lsn <= lsn) this.freshAt = Math.max(this.freshAt, mark.at)
    this.marks = this.marks.filter((mark) => mark.lsn > lsn)
  }

  /** At most so many milliseconds behind at `now`; Infinity while nobody can tell. */
  behindMs(now: number): number {
    return now - this.freshAt
  }
}
