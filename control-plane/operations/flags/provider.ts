import {
  ErrorCode,
  StandardResolutionReasons,
  type EvaluationContext,
  type JsonValue,
  type Provider,
  type ResolutionDetails,
} from '@openfeature/server-sdk'
import { isOn } from './rules.ts'
import type { Flag } from './store.ts'

/** Milliseconds that flags are believed before they are read again: another control plane may have changed them. */
const believed = 5000

/** OpenFeature over the platform's own table. Flags are on or off; of any other kind there are none. */
export class DatabaseProvider implements Provider {
  readonly metadata = { name: 'plinth-database' }
  readonly runsOn = 'server'
  private readonly read: () => Promise<Flag[]>
  private known: { flags: Promise<Flag[]>; until: number } | undefined

  constructor(read: () => Promise<Flag[]>) {
    this.read = read
  }

  /** What was read is out of date. */
  forget(): void {
    this.known = undefined
  }

  async flags(now = Date.now()): Promise<Flag[]> {
    if (!this.known || now >= this.known.until) {
      const flags = this.read()
      this.known = { flags, until: now + believed }
      // A failure is told to whoever asked, and not remembered.
      flags.catch(() => this.forget())
    }
    return this.known.flags
  }

  async resolveBooleanEvaluation(
    key: string,
    defaultValue: boolean,
    { targetingKey = '', organization }: EvaluationContext,
  ): Promise<ResolutionDetails<boolean>> {
    const flag = (await this.flags()).find((candidate) => candidate.key === key)
    if (!flag) return unknown(key, defaultValue)
    const slug = typeof organization === 'string' ? organization : undefined
    return {
      value: isOn(key, flag, { userId: targetingKey, organization: slug }),
      reason: StandardResolutionReasons.TARGETING_MATCH,
    }
  }

  resolveStringEvaluation = async (key: string, defaultValue: string) => unknown(key, defaultValue)
  resolveNumberEvaluation = async (key: string, defaultValue: number) => unknown(key, defaultValue)
  resolveObjectEvaluation = async <T extends JsonValue>(key: string, defaultValue: T) =>
    unknown(key, defaultValue)
}

const unknown = <T>(key: string, value: T): ResolutionDetails<T> => ({
  value,
  reason: StandardResolutionReasons.ERROR,
  errorCode: ErrorCode.FLAG_NOT_FOUND,
  errorMessage: `There is no flag ${key} of this kind`,
})
