/** Lets `perSecond` pass in a second, and at most `burst` at once after a rest. */
export class Rate {
  private left: number
  private at: number
  private readonly perSecond: () => number
  private readonly burst: () => number

  constructor(perSecond: () => number, burst: () => number = perSecond) {
    this.perSecond = perSecond
    this.burst = burst
    this.left = burst()
    this.at = performance.now()
  }

  /** Counts `amount`; false when there is too much already. */
  take(amount = 1): boolean {
    const now = performance.now()
    this.left = Math.min(this.burst(), this.left + ((now - this.at) / 1000) * this.perSecond())
    this.at = now
    if (this.left < Math.min(amount, this.burst())) return false
    this.left -= amount
    return true
  }
}
