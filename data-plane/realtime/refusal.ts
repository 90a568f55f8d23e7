/** Why a channel cannot be joined or goes away: a code of the protocol and its words. */
export class ChannelRefusal extends Error {
  readonly code: string
  /** What it is over HTTP. */
  readonly status: number

  constructor(code: string, message: string, status = 401) {
    super(message)
    this.code = code
    this.status = status
  }

  /** As clients read it. */
  get reason(): string {
    return `${this.code}: ${this.message}`
  }
}
