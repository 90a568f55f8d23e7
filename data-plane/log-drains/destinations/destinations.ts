import { logDrainConfigs, type LogDrainType } from '#contract/observability/log-drain-shapes'
import { ApiError } from '#kit/errors'
import type { Destination } from '../drain-event.ts'
import { axiom } from './axiom.ts'
import { datadog } from './datadog.ts'
import { loki } from './loki.ts'
import { otlp } from './otlp.ts'
import { s3 } from './s3.ts'
import { sentry } from './sentry.ts'
import { webhook } from './webhook.ts'

const makers: { [T in LogDrainType]: (config: Record<string, unknown>) => Destination } = {
  webhook: (config) => webhook(logDrainConfigs.webhook.parse(config)),
  datadog: (config) => datadog(logDrainConfigs.datadog.parse(config)),
  loki: (config) => loki(logDrainConfigs.loki.parse(config)),
  s3: (config) => s3(logDrainConfigs.s3.parse(config)),
  sentry: (config) => sentry(logDrainConfigs.sentry.parse(config)),
  otlp: (config) => otlp(logDrainConfigs.otlp.parse(config)),
  axiom: (config) => axiom(logDrainConfigs.axiom.parse(config)),
}

/** @throws ApiError invalid_input for a config that is not of the type */
export function destinationOf(type: LogDrainType, config: Record<string, unknown>): Destination {
  const { error } = logDrainConfigs[type].safeParse(config)
  if (!error) return makers[type](config)
  const [issue] = error.issues
  const field = issue?.path.join('.') || 'config'
  throw new ApiError('invalid_input', `${field}: ${issue?.message}`)
}

/** Milliseconds after which a batch goes although it is not full, and bytes of lines that make a full one. */
export type Gathering = { afterMs: number; bytes: number; entries: number }

export function gatheringOf(type: LogDrainType, config: Record<string, unknown>): Gathering {
  if (type !== 's3') return { afterMs: 0, bytes: 1024 ** 2, entries: 250 }
  const { batch_timeout: afterMs } = logDrainConfigs.s3.parse(config)
  return { afterMs, bytes: 8 * 1024 ** 2, entries: 100_000 }
}
