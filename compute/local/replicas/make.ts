import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { randomBytes } from 'node:crypto'
import { chmod, chown, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { failpoint } from '#kit/failpoints'
import { flushToDisk } from '#kit/postgres/cluster'
import { readIfExists, writeDurably } from '#kit/postgres/files'
import type { OsUser } from '#kit/postgres/os-user'
import { signal } from '#kit/postgres/processes'
import { findRunning } from '#kit/postgres/server'
import { UnknownProjectError, type ReplicaKey } from '../../provider.ts'
import type { Admin } from '../admin-session.ts'
import { adminOf } from '../backups/make.ts'
import { streamBaseBackup } from '../backups/server-store.ts'
import { rulesIn, writeRules } from '../config.ts'
import type { Machine } from '../machine.ts'
import { userOf, type ProjectRecord } from '../registry.ts'
import { replicationRule } from '../settings.ts'
import {
  dataOf,
  isRecorded,
  loginOf,
  openSocketToReplicas,
  record,
  replicaOf,
  stopReplica,
  userOfReplica,
} from './server.ts'
import { lookAtSlots, openFor, replicator } from './server-store.ts'

/** Whether it could go on from where it is, as far as the project's server knows. */
export async function isWhole(machine: Machine, key: ReplicaKey, admin: Admin): Promise<boolean> {
  if (!replicaOf(machine, key)?.ready) return false
  const slots = await lookAtSlots(admin, (id) => isRecorded(machine, { ref: key.ref, id }))
  const slot = slots.get(key.id)
  return slot !== undefined && !slot.lost
}

/** Makes way for a copy: its user, its login, and a slot that keeps what is written from now on. */
export async function beginReplica(
  machine: Machine,
  key: ReplicaKey,
  password: string,
): Promise<void> {
  const { ref, id } = key
  const admin = await adminOf(machine, ref, password)
  const before = replicaOf(machine, key)
  const uid = before ? before.uid : ((await machine.users.give())?.uid ?? null)
  const maxConnections = machine.registry.get(ref)?.maxConnections ?? 0
  const project = await record(machine, ref, { id, ready: false, uid, maxConnections })
  failpoint('compute.replica.claimed')
  await stopReplica(machine, key)
  await machine.folders.discard(machine.folders.replica(ref, id))
  const login = await openWays(machine, ref, project)
  await openFor(admin, id, login)
  failpoint('compute.replica.opened')
  const user = userOfReplica(project, { uid })
  const home = machine.folders.replica(ref, id)
  await mkdir(home, { recursive: true, mode: 0o711 })
  await chmod(machine.folders.replicas(ref), 0o711)
  await chmod(home, 0o711)
  await writeDurably(loginOf(machine, key), `*:*:*:${replicator}:${login}\n`, user, 0o400)
  await mkdir(dataOf(machine, key), { mode: 0o700 })
  if (user) await chown(dataOf(machine, key), user.uid, user.gid)
}

/** Lets replicas reach the project's server, which an earlier version may have set up. Returns their password. */
async function openWays(machine: Machine, ref: string, project: ProjectRecord): Promise<string> {
  const { folders } = machine
  const server = await findRunning(folders.data(ref))
  if (!server) throw new Error(`The server of ${ref} does not run`)
  if (project.uid !== null) await openSocketToReplicas(server.socketDir)
  const rules = (await readIfExists(rulesIn(folders.config(ref)))) ?? ''
  if (!rules.includes(replicationRule)) {
    const lines = rules.trimEnd().split('\n')
    await writeRules(
      folders.config(ref),
      [...lines, replicationRule, ''].join('\n'),
      userOf(project),
    )
  }
  // Also when nothing was written: an earlier attempt may have ended between the two.
  signal(server.pid, 'SIGHUP')
  const file = join(folders.project(ref), 'replicas-login')
  const known = await readIfExists(file)
  if (known !== undefined) return known
  const made = randomBytes(24).toString('base64url')
  await writeDurably(file, made)
  return made
}

/** Copies the running server. By the replica's own user: whatever the copy says, it reaches no file of anybody else. */
export async function copyServer(
  machine: Machine,
  key: ReplicaKey,
  password: string,
): Promise<void> {
  const project = machine.registry.get(key.ref)
  const replica = replicaOf(machine, key)
  if (!project || !replica) throw new UnknownProjectError(key.ref)
  const user = userOfReplica(project, replica)
  const admin = await adminOf(machine, key.ref, password)
  const dataDir = dataOf(machine, key)
  const child = spawn('tar', ['--extract', '--no-same-owner', '--directory', dataDir], {
    cwd: '/',
    env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' },
    stdio: ['pipe', 'ignore', 'pipe'],
    ...user,
  })
  const ended = once(child, 'close') as Promise<[number | null]>
  const output = text(child.stderr)
  const pass = passOn(child.stdin)
  try {
    await streamBaseBackup(admin, pass, { packs: false })
    child.stdin.end()
    const [code] = await ended
    if (code !== 0) throw new Error(`tar ended with ${code}: ${(await output).trim().slice(-500)}`)
  } finally {
    child.stdin.destroy()
    child.kill('SIGKILL')
    await ended
  }
}

/** Hands chunks to a process, and waits while it has not taken what it was given. */
function passOn(into: Writable): (chunk: Buffer) => Promise<void> | undefined {
  let failure: unknown
  let waiting: Promise<void> | undefined
  let release = () => {}
  const goOn = () => {
    waiting = undefined
    release()
  }
  into.on('error', (error) => (failure ??= error))
  into.on('drain', goOn)
  into.on('close', goOn)
  return (chunk) => {
    if (failure !== undefined || into.destroyed)
      return Promise.reject(new Error('The copy was broken off', { cause: failure }))
    if (into.write(chunk)) return undefined
    waiting ??= new Promise<void>((resolve) => (release = resolve))
    return waiting
  }
}

/** What was copied becomes a server that follows. */
export async function finishCopy(
  machine: Machine,
  key: ReplicaKey,
  user: OsUser | undefined,
): Promise<void> {
  const dataDir = dataOf(machine, key)
  await writeDurably(join(dataDir, 'standby.signal'), '', user)
  await flushToDisk(machine.runtime.binaries, dataDir, user)
}
