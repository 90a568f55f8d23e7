import { execFile } from 'node:child_process'
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, sep } from 'node:path'
import { promisify } from 'node:util'
import type { OsUser } from '#kit/postgres/os-user'

const run = promisify(execFile)

/** Where everybody may make files: a server has these for itself, and nothing of it stays in them. */
const shared = ['/tmp', '/var/tmp', '/dev/shm', '/run/lock']

/**
 * What a server sees of its machine: all is read only but the given folders, in which nothing can be executed or loaded; places that
 * everybody may write to are its own and empty; of processes it sees those of its own user. The words after each `--` are the
 * folders, the places, and the command that this becomes. By root, who has just taken on a view of mounts of its own: mounts of the machine show in it, none of it outside.
 */
const script = `set -e
memory="$1"; shift
while [ "$1" != -- ]; do
  mount --bind "$1" "$1"
  mount -o remount,bind,nosuid,nodev,noexec "$1"
  shift
done
shift
while [ "$1" != -- ]; do
  mount -t tmpfs -o "size=$memory,mode=1777,nosuid,nodev,noexec" tmpfs "$1"
  shift
done
shift
mount -t proc -o nosuid,nodev,noexec,hidepid=2 proc /proc
mount -o remount,bind,ro /
exec "$@"`

type Needs = {
  /** Folders that it writes to, and others that it reads: they exist. */
  writes: readonly string[]
  reads: readonly string[]
  /** Bytes that its own places may hold. */
  memory: number
}
type Programs = { unshare: string; setpriv: string }
export type View = {
  /** The command that gives a program, run by root, its view and its user. */
  through(user: OsUser, needs: Needs): Promise<string[]>
}

/** Undefined where the machine gives nobody a view of their own, such as most containers. */
export async function openView(programs: Programs): Promise<View | undefined> {
  const view = { through: viewOf(programs) }
  const folder = await mkdtemp(join(tmpdir(), 'plinth-view-'))
  try {
    const nobody = { uid: 65_534, gid: 65_534 }
    const [command = '', ...words] = await view.through(nobody, {
      writes: [folder],
      reads: [],
      memory: 1024 ** 2,
    })
    await run(command, [...words, 'true'], { env: { PATH: '/usr/bin:/bin' }, timeout: 10_000 })
    return view
  } catch {
    return undefined
  } finally {
    await rm(folder, { recursive: true })
  }
}

const viewOf =
  ({ unshare, setpriv }: Programs): View['through'] =>
  async ({ uid, gid }, { writes, reads, memory }) => {
    const real = (folders: readonly string[]) => Promise.all(folders.map((one) => realpath(one)))
    const [written, read] = [await real(writes), await real(reads)]
    const places = await Promise.all(shared.map((place) => realpath(place).catch(() => undefined)))
    const own = [...new Set(places)].filter(
      (place) =>
        place !== undefined &&
        ![...written, ...read].some((folder) => folder.startsWith(`${place}${sep}`)),
    )
    return [
      unshare,
      '--mount',
      '--propagation',
      // What the machine unmounts later, no server goes on holding.
      'slave',
      '--',
      '/bin/sh',
      '-c',
      script,
      'sh',
      String(memory),
      ...written,
      '--',
      ...own.map(String),
      '--',
      setpriv,
      `--reuid=${uid}`,
      `--regid=${gid}`,
      '--clear-groups',
      '--',
    ]
  }
