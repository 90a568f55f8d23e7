import { randomUUID } from 'node:crypto'
import type { PoolConfig } from 'pg'
import { silentLog } from '#kit/log'
import { createSafeFetch } from '#kit/network/safe-fetch'
import { createSecrets } from '#kit/secrets'
import { createControlPlane } from '../app.ts'
import { openDatabase } from '../platform-database/database.ts'
import { jobOutbox } from '../operations/jobs/store.ts'
import { deployJob } from '../projects/git/deploying.ts'
import { computeInMemory } from './compute-in-memory.ts'
import { ssoInMemory } from './sso.ts'

type Given = {
  database: PoolConfig
  dataPlaneUrl: string
  internalToken: string
  /** What secrets are sealed with, in base64. */
  key: string
  /** What a git host says, to the project of this ref; undefined: it was said before. */
  said?: { ref: string; body: string; headers: Record<string, string> }
}

/**
 * The control plane that the fault test of deployments from git kills: beside the one of the test, over the same database. It takes up
 * what an earlier one left, and ends when nothing is left. Servers are none of its business.
 */
const given: Given = JSON.parse(process.argv[2] ?? '')
const database = openDatabase(given.database, silentLog)
const { provider: compute } = computeInMemory({
  disk: () => ({ database: 0, other: 0 }),
  load: () => ({ cpuSeconds: 0, memoryBytes: 0, connections: 0 }),
})
const plane = await createControlPlane({
  version: '0.0.0',
  database,
  databaseConfig: given.database,
  compute,
  dbVersion: '17.10',
  databaseHost: 'localhost',
  url: 'http://localhost:8000',
  projectUrl: 'http://localhost:8001/{ref}',
  dataPlaneUrl: given.dataPlaneUrl,
  internalToken: given.internalToken,
  secrets: createSecrets(Buffer.from(given.key, 'base64')),
  security: { allowedOrigins: [], connectTo: [], trustedProxies: [] },
  requestsPerMinute: 10_000,
  localMailbox: true,
  mailerAutoconfirm: true,
  supportEmail: 'support@example.com',
  webhookSchema: '',
  sendMail: () => Promise.resolve(),
  verifyToken: () => Promise.resolve(undefined),
  people: {
    facts: () => Promise.resolve(new Map()),
    remove: () => Promise.resolve(),
    revokeSessions: () => Promise.resolve(),
  },
  sso: ssoInMemory().gateway,
  fetch: createSafeFetch({ allowLoopback: true, largestBytes: 1024 * 1024 }),
  executor: 'killed again and again',
  log: silentLog,
})
if (given.said) {
  const { ref, body, headers } = given.said
  const answer = await plane.app.inject({
    method: 'POST',
    url: `/platform/git/${ref}/hook`,
    headers: { 'content-type': 'application/json', 'x-request-id': randomUUID(), ...headers },
    payload: body,
  })
  if (answer.statusCode !== 200) throw new Error(answer.body)
}
await plane.jobs.recover()
const outbox = jobOutbox(database.db)
const isLeft = async () => (await outbox.unfinished()).some(({ name }) => name === deployJob)
const deadline = Date.now() + 120_000
while ((await isLeft()) && Date.now() < deadline) await new Promise((wake) => setTimeout(wake, 50))
await plane.close()
await database.pool.end()
