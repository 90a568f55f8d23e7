import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { ServerLogEntry } from '#contract/observability/server-log'
import { silentLog } from '#kit/log'
import { startApiServer, type ApiServer } from '../../testing/kubernetes/api-server.ts'
import { testRef } from '../../testing/conformance-project.ts'
import { configOf } from '../../testing/kubernetes/harness.ts'
import { lineOf } from '../../testing/kubernetes/log-file.ts'
import type { Stored } from '../../testing/kubernetes/store.ts'
import { accessRules } from '../access.ts'
import { openApi } from '../api.ts'
import { clusterAnnotation, clusterLabel, namespaceOf, platform } from '../objects.ts'
import { createClusterLogs, cursorAnnotation } from './cluster-logs.ts'
import { createTurn, turnAnnotation } from './turn.ts'

let server: ApiServer
beforeAll(async () => {
  server = await startApiServer({ rules: accessRules, token: 'of-the-platform' })
  server.store.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: platform } })
})
afterAll(() => server.close())

const open = () => openApi({ config: configOf(server.url, server.token), patienceMs: 2000 })
const quick = {
  gatherMs: 5,
  retryMs: { first: 20, most: 100 },
  // So long that nobody loses it on a busy machine.
  leaseMs: 60_000,
  renewMs: 50,
  noteMs: 100,
}
/** A control plane that hands over logs. A test says whether somebody takes what comes. */
async function shipper() {
  const api = await open()
  const taken: { ref: string; entry: ServerLogEntry }[] = []
  const world = { refuses: false, largest: 0 }
  const logs = createClusterLogs({
    api: () => Promise.resolve(api),
    platformNamespace: platform,
    log: silentLog,
    timings: quick,
  })
  logs.onServerLog(async (ref, entries) => {
    world.largest = Math.max(world.largest, entries.length)
    if (world.refuses) throw new Error('nobody is there')
    taken.push(...entries.map((entry) => ({ ref, entry })))
  })
  logs.begin()
  const end = async () => {
    await logs.close()
    api.close()
  }
  onTestFinished(end)
  return {
    world,
    end,
    of: (ref: string) => taken.filter((one) => one.ref === ref).map(({ entry }) => entry.message),
  }
}

function project(): string {
  const ref = testRef()
  const metadata = { name: namespaceOf(ref) }
  server.store.create({ apiVersion: 'v1', kind: 'Namespace', metadata })
  onTestFinished(() => void server.store.remove('Namespace', undefined, namespaceOf(ref)))
  return ref
}
function podIn(ref: string, { cluster = ref, begun = true, number = 1 } = {}): Stored {
  return server.store.create({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: `${cluster}-${number}`,
      namespace: namespaceOf(ref),
      labels: { [clusterLabel]: cluster },
    },
    spec: { containers: [{ name: 'postgres' }] },
    status: statusOf(begun ? { running: {} } : { waiting: {} }),
  })
}
const statusOf = (state: object, restartCount = 0, phase = 'Running') => ({
  phase,
  containerStatuses: [{ name: 'postgres', restartCount, state }],
})
function become(pod: Stored, status: Record<string, unknown>): void {
  const there = server.store.get('Pod', pod.metadata.namespace, pod.metadata.name)
  server.store.replace({ ...there, status }, 'status')
}
const gone = (pod: Stored) => server.store.remove('Pod', pod.metadata.namespace, pod.metadata.name)
let count = 0
/** The server in a pod writes. */
function say(pod: Stored, message: string, at = Date.now()): void {
  count += 1
  const record = {
    log_time: `${new Date(at).toISOString().replace('T', ' ').replace('Z', '')} UTC`,
    process_id: '7',
    session_id: '608be681.19',
    session_line_num: String(count),
    error_severity: 'LOG',
    message,
  }
  server.podLogs.write(pod.metadata.uid, lineOf(record, pod.metadata.name), at)
}
const patience = { timeout: 20_000 }

test('what servers write is handed over as it comes, each to its project, and nothing of others', async () => {
  const [one, two] = [project(), project()]
  const pods = [podIn(one), podIn(two), podIn(two, { number: 2 })] as const
  say(pods[0], 'before anybody came')
  const ships = await shipper()
  await expect.poll(() => ships.of(one), patience).toEqual(['before anybody came'])
  server.podLogs.write(pods[0].metadata.uid, 'not of the server')
  say(pods[0], 'later')
  say(pods[1], 'of another project')
  say(pods[2], 'of its second server')
  await expect.poll(() => ships.of(one), patience).toEqual(['before anybody came', 'later'])
  await expect
    .poll(() => ships.of(two).toSorted(), patience)
    .toEqual(['of another project', 'of its second server'])
})

test('connections that break lose no line and hand over none twice', async () => {
  const ref = project()
  const pod = podIn(ref)
  const ships = await shipper()
  const all: string[] = []
  const write = (message: string) => {
    say(pod, message)
    all.push(message)
  }
  for (let round = 0; round < 5; round++) {
    write(`${round} a`)
    write(`${round} b`)
    // Half of the rounds are seen before the connection breaks, half are not.
    if (round % 2 === 0) await expect.poll(() => ships.of(ref), patience).toEqual(all)
    server.podLogs.drop()
    server.dropWatches()
    write(`${round} meanwhile`)
    server.trap('get', 'pods/log', () => (round % 2 === 0 ? 'drop' : { status: 500 }))
  }
  await expect.poll(() => ships.of(ref), patience).toEqual(all)
  // What was written long ago, and in the same second as what was seen last, is known as well.
  server.podLogs.drop()
  write('the last')
  await expect.poll(() => ships.of(ref), patience).toEqual(all)
})

test('what the server still has of a log that was begun anew comes once', async () => {
  const ref = project()
  const pod = podIn(ref)
  const ships = await shipper()
  say(pod, 'first')
  await expect.poll(() => ships.of(ref), patience).toEqual(['first'])
  server.trap('get', 'pods/log', () => 'drop', 1)
  server.podLogs.drop()
  server.podLogs.rotate(pod.metadata.uid)
  say(pod, 'in the same second, of the new file')
  await expect
    .poll(() => ships.of(ref), patience)
    .toEqual(['first', 'in the same second, of the new file'])
})

test('a container that is started anew, and a pod that is replaced, each begin a log of their own', async () => {
  const ref = project()
  const pod = podIn(ref)
  const ships = await shipper()
  say(pod, 'of the first life')
  await expect.poll(() => ships.of(ref), patience).toEqual(['of the first life'])
  // Nobody is connected while it ends: its last words are in the log of the life before.
  server.trap('get', 'pods/log', () => 'drop', 2)
  server.podLogs.drop()
  say(pod, 'the last words')
  server.podLogs.restart(pod.metadata.uid)
  become(pod, statusOf({ running: {} }, 1))
  say(pod, 'of the second life')
  await expect
    .poll(() => ships.of(ref), patience)
    .toEqual(['of the first life', 'the last words', 'of the second life'])
  gone(pod)
  const next = podIn(ref, { begun: false })
  become(next, statusOf({ running: {} }))
  say(next, 'of the next pod')
  await expect.poll(() => ships.of(ref).at(-1), patience).toBe('of the next pod')
  expect(ships.of(ref)).toHaveLength(4)
})

test('clusters beside the project are not its log, until one of them is the project', async () => {
  const ref = project()
  const before = podIn(ref)
  const restored = podIn(ref, { cluster: `${ref}-restored` })
  const ships = await shipper()
  say(restored, 'of the restored one')
  say(before, 'of the project')
  await expect.poll(() => ships.of(ref), patience).toEqual(['of the project'])
  const home = server.store.get('Namespace', undefined, namespaceOf(ref))
  const annotations = { ...home.metadata.annotations, [clusterAnnotation]: `${ref}-restored` }
  server.store.replace({ ...home, metadata: { ...home.metadata, annotations } }, 'object')
  gone(before)
  await expect
    .poll(() => ships.of(ref), patience)
    .toEqual(['of the project', 'of the restored one'])
})

test('what nobody takes waits and is handed over once, in messages of a bounded size', async () => {
  const ref = project()
  const pod = podIn(ref)
  const ships = await shipper()
  ships.world.refuses = true
  const all = Array.from({ length: 2500 }, (_, at) => `line ${at}`)
  for (const message of all) say(pod, message)
  await expect.poll(() => ships.world.largest, patience).toBeGreaterThan(0)
  expect(ships.of(ref)).toEqual([])
  ships.world.refuses = false
  await expect.poll(() => ships.of(ref).length, patience).toBe(all.length)
  expect(ships.of(ref)).toEqual(all)
  expect(ships.world.largest).toBeLessThanOrEqual(1000)
})

test('one control plane of two hands over; when it ends the other one goes on where it was left', async () => {
  const ref = project()
  const pod = podIn(ref)
  const first = await shipper()
  say(pod, 'for the first')
  await expect.poll(() => first.of(ref), patience).toEqual(['for the first'])
  const second = await shipper()
  say(pod, 'still for the first')
  await expect.poll(() => first.of(ref), patience).toHaveLength(2)
  await first.end()
  const home = server.store.get('Namespace', undefined, namespaceOf(ref))
  expect(JSON.parse(home.metadata.annotations?.[cursorAnnotation] ?? '{}')).toEqual({
    [pod.metadata.uid]: { at: expect.any(Number) as number, ids: [expect.any(String)] },
  })
  say(pod, 'for the second')
  await expect.poll(() => second.of(ref), patience).toEqual(['for the second'])
  expect(first.of(ref)).toEqual(['for the first', 'still for the first'])
  await second.end()
  const { annotations } = server.store.get('Namespace', undefined, platform).metadata
  expect(annotations?.[turnAnnotation]).toBe('')
})

test('a turn is held by one, and another takes it when nothing was said for long', async () => {
  const api = await open()
  onTestFinished(() => api.close())
  let now = 0
  const [one, two] = [0, 1].map(() => createTurn(api, platform, 1000, () => now)) as [
    ReturnType<typeof createTurn>,
    ReturnType<typeof createTurn>,
  ]
  expect(await one.take()).toBe(true)
  expect(await two.take()).toBe(false)
  now = 900
  expect(await two.take()).toBe(false)
  expect(await one.take()).toBe(true)
  now = 1800
  expect(await two.take()).toBe(false)
  expect(one.has()).toBe(true)
  now = 1950
  // It could not say so for a whole lease: it stops, before the other one begins.
  expect(one.has()).toBe(false)
  expect(await two.take()).toBe(false)
  now = 2850
  expect(await two.take()).toBe(true)
  expect(await one.take()).toBe(false)
  await one.giveBack()
  expect(await one.take()).toBe(false)
  await two.giveBack()
  expect(await one.take()).toBe(true)
  await one.giveBack()
})

test('two that ask at the same moment do not both get the turn', async () => {
  const api = await open()
  onTestFinished(() => api.close())
  const all = Array.from({ length: 5 }, () => createTurn(api, platform, 60_000))
  const got = await Promise.all(all.map((one) => one.take()))
  expect(got.filter(Boolean)).toHaveLength(1)
  for (const one of all) await one.giveBack()
})

test('a pod that is gone, and one whose log is refused, hold nobody up and leave no connection', async () => {
  const [bad, good] = [project(), project()]
  const refused = podIn(bad)
  const pod = podIn(good)
  server.trap('get', 'pods/log', () => ({ status: 403 }), 2)
  const ships = await shipper()
  say(pod, 'hello')
  say(refused, 'at last')
  await expect.poll(() => ships.of(good), patience).toEqual(['hello'])
  await expect.poll(() => ships.of(bad), patience).toEqual(['at last'])
  gone(refused)
  gone(pod)
  await expect.poll(() => server.podLogs.followers(), patience).toBe(0)
})
