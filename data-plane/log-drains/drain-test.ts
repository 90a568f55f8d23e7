import { randomUUID } from 'node:crypto'
import type { LogDrainTest, LogDrainType } from '#contract/observability/log-drain-shapes'
import { destinationOf } from './destinations/destinations.ts'
import type { Send } from './send.ts'

/** Milliseconds of a test; who asks for it waits for 30 seconds. */
export const testMs = 20_000

/** Sends one entry that says what it is, once. @throws ApiError invalid_input for a config that is not of the type */
export async function testDrain(
  type: LogDrainType,
  config: Record<string, unknown>,
  send: Send,
  now: () => number,
): Promise<LogDrainTest> {
  const destination = destinationOf(type, config)
  const event = {
    id: randomUUID(),
    timestamp: now() * 1000,
    source: 'log_drain_test',
    level: 'info' as const,
    event_message: 'A test of this log drain, sent from its page',
    attributes: {},
  }
  const began = performance.now()
  const { ok, status, detail } = await send(
    destination.request({
      owner: { kind: 'project', name: 'test' },
      events: [event],
      now: now(),
    }),
    AbortSignal.timeout(testMs),
  )
  return { ok, status, detail, milliseconds: Math.round(performance.now() - began) }
}
