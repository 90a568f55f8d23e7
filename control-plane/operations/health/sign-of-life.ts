import { hostname } from 'node:os'
import type { PlaneFacts } from '#contract/operations/health'
import { forgottenAfterSeconds, heartbeatSeconds, planes as api } from '#contract/operations/planes'
import { implementOpen } from '#kit/http'
import type { Platform } from '../../platform.ts'
import { createCertificateLook } from './certificates.ts'
import { createDiskLook } from './disk-look.ts'
import { createPlanes } from './planes.ts'
import { planeStore } from './planes-store.ts'

/** The programs of the installation: what this one says of itself, and what it hears of the others. */
export function createSignOfLife(platform: Platform) {
  const { db, version, now, url, projectUrl, installation, roundBook, failing, log } = platform
  const store = planeStore(db)
  const startedAt = now()
  const place = installation?.place ?? `${hostname()}:${process.pid}`
  const disk = installation?.disk && createDiskLook({ ...installation.disk, now, log })
  const certificates = createCertificateLook({
    addresses: [url, projectUrl],
    failures: store.orderFailures,
    now,
  })
  let ended = false

  async function facts(): Promise<PlaneFacts> {
    return {
      rounds: roundBook.states(),
      failing: failing().map(({ round, subject, failure, since, failures }) => ({
        round,
        subject,
        failure,
        since: since.toISOString(),
        failures,
      })),
      disk: disk ? await disk.look() : null,
      certificates: await certificates.look(),
      absent: {
        disk: disk ? null : 'This control plane does not know which folder to measure.',
        certificates: certificates.absent,
      },
    }
  }

  async function report(ends: boolean): Promise<void> {
    if (ended) return
    ended = ends
    const said = {
      place,
      version,
      started_at: startedAt.toISOString(),
      memory_bytes: process.memoryUsage().rss,
      ends,
    }
    await store.put('control-plane', said, await facts(), now())
  }
  const round = async () => {
    await report(false)
    await store.forget(new Date(now().getTime() - forgottenAfterSeconds * 1000))
  }

  const all = createPlanes({ store, place, startedAt, now })
  return {
    all,
    round,
    routes: [
      implementOpen(api.report, async (said) => {
        await store.put('data-plane', said, undefined, now())
        const running = (await all()).filter(
          ({ kind, state }) => kind === 'data-plane' && state === 'running',
        )
        return { data_planes: running.length }
      }),
    ],
    rounds: [{ seconds: heartbeatSeconds, name: 'sign of life', run: round, everywhere: true }],
    async close() {
      await disk?.close()
      await report(true)
    },
  }
}
