import type { ProjectConnection } from '#contract/internal'
import { silentLog } from '#kit/log'
import { createSafeFetch } from '#kit/network/safe-fetch'
import { createBudgets } from '../../projects/projects.ts'
import { openProject } from '../../projects/open-project.ts'
import { Sender } from '../../webhooks/sender.ts'

/** The program that the crash test kills: it sends the calls of one project. */
const connection: ProjectConnection = JSON.parse(process.argv[2] ?? '')
const limits = {
  connectionsPerLogin: 5,
  waitMs: 5000,
  connectMs: 5000,
  drainMs: 1000,
  replicaLagMs: 10_000,
}
const project = openProject(connection, createBudgets().of(connection.ref), limits, silentLog)
const sender = new Sender({
  project,
  fetch: createSafeFetch({ allowLoopback: true, redirects: 0 }),
  own: undefined,
  keysOf: () => Promise.resolve(undefined),
  timing: { look: 50, forget: 60_000 },
  log: silentLog,
})
await sender.ended
