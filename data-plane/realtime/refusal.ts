/** Why a channel can not be joined or goes away: a code of the protocol and its words. */
export class ChannelRefusal extends Error {
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }

  /** As clients read it. */
  get reason(): string {
    return `${this.code}: ${this.message}`
  }
}
