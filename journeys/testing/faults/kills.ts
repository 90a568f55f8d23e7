import { existsSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect } from 'vitest'
import type { Place, Platform } from '../platform.ts'
import { childOf, until } from '../processes.ts'
import { wrongsOf } from '../world.ts'

/** Orders may meet a control plane that is just being killed; then they were accepted or they were not. */
export const anyway = <T>(call: Promise<T>): Promise<T | undefined> => call.catch(() => undefined)

export const isBack = ({ url }: Pick<Place, 'url'>): Promise<void> =>
  until(
    'the control plane answers',
    async () =>
      fetch(`${url}/platform/status`).then(
        (answer) => answer.ok,
        () => false,
      ),
    // A start on a machine that does other things besides.
    120_000,
  )

export const isSane = (platform: Pick<Place, 'home'>): Promise<void> =>
  expect.poll(() => wrongsOf(platform), { timeout: 60_000 }).toEqual([])

/** Ends the control plane as a power cut would; the launcher starts it again. */
export async function killControlPlane(
  { process: launcher }: Pick<Platform, 'process'>,
  afterMs = 0,
): Promise<void> {
  await delay(afterMs)
  const child = childOf(launcher.pid ?? 0, 'control-plane.js')
  if (child !== undefined) process.kill(child, 'SIGKILL')
}

/** Named places (`kit/failpoints.ts`) at which a platform with this environment is killed once it reaches them. */
export function failpoints() {
  const folder = mkdtempSync(join(tmpdir(), 'plinth-failpoints-'))
  return {
    environment: { PLINTH_FAILPOINTS: folder },
    /** Returns what waits until the place was reached. */
    arm(name: string): () => Promise<void> {
      const file = join(folder, name.replaceAll(/[^\w.-]/g, '_'))
      writeFileSync(file, '')
      return () => until(`${name} was reached`, () => !existsSync(file))
    },
  }
}
