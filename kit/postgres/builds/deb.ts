import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { basename } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { text } from 'node:stream/consumers'
import { changeOwner } from '../cluster.ts'
import type { OsUser } from '../os-user.ts'
import { BuildError } from './build.ts'

/** Bytes of a package, unpacked. PostGIS with all that it brings has a tenth of it. */
const maxUnpacked = 2 * 1024 ** 3

/** How the files of a package are packed, and the program that unpacks them. */
const unpackers: Record<string, readonly string[]> = {
  'data.tar': ['cat'],
  'data.tar.gz': ['gzip', '-dc'],
  'data.tar.xz': ['xz', '-dc'],
  'data.tar.zst': ['zstd', '-dc'],
}

/** `postgresql-17-pgvector` for `postgresql-17-pgvector_0.8.0-1_amd64.deb`. */
export const packageOf = (file: string): string => basename(file, '.deb').split('_')[0] ?? ''

/**
 * Unpacks the files of a Debian package into an empty folder, by the programs of the system and, as root, as a user without
 * rights: whatever the archive says, it reaches no file of anybody else. What it holds is judged afterwards, by `filesOf`.
 * @throws BuildError
 */
export async function unpackDeb(file: string, into: string, user?: OsUser): Promise<void> {
  const { packed, start, end } = await dataOf(file)
  const [program = '', ...options] = packed
  if (user) await changeOwner(into, user)
  const where = { cwd: '/', env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' }, ...user }
  const unpack = spawn(program, options, { ...where, stdio: ['pipe', 'pipe', 'pipe'] })
  // Whose files they are and with what rights is ours to say.
  const as = ['--no-same-owner', '--no-same-permissions', '--directory', into]
  const tar = spawn('tar', ['--extract', '--file=-', ...as], {
    ...where,
    stdio: ['pipe', 'ignore', 'pipe'],
  })
  const results = await Promise.allSettled([
    endOf('tar', tar),
    endOf(program, unpack),
    pipeline(unpack.stdout, limited(maxUnpacked), tar.stdin),
    pipeline(createReadStream(file, { start, end }), unpack.stdin),
  ])
  const problems = results.flatMap((one): unknown[] =>
    one.status === 'rejected' ? [one.reason] : [],
  )
  // The program that ended says why; the pipe to it that broke does not.
  const problem = problems.find((one) => one instanceof BuildError) ?? problems[0]
  if (problem !== undefined) throw problem
  if (user) await changeOwner(into, { uid: 0, gid: 0 })
}

async function endOf(program: string, child: ReturnType<typeof spawn>): Promise<void> {
  const output = child.stderr ? text(child.stderr) : Promise.resolve('')
  const failed = new Promise<never>((_, reject) => {
    child.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        error.code === 'ENOENT'
          ? new BuildError(`the package needs the program ${program}, which is not installed`)
          : error,
      ),
    )
  })
  const [code] = (await Promise.race([once(child, 'close'), failed])) as [number | null]
  const said = (await output).trim().split('\n').slice(0, 3).join('; ').slice(0, 500)
  if (code !== 0) throw new BuildError(`the package cannot be unpacked: ${said || program}`)
}

/** Nothing small may become the whole disk. */
const limited = (max: number): Transform => {
  let bytes = 0
  return new Transform({
    transform(chunk: Buffer, _, done) {
      bytes += chunk.length
      done(bytes > max ? new BuildError('the package is too large when unpacked') : null, chunk)
    },
  })
}

/** A package is an `ar` archive: a line, and members with a header of 60 bytes each, at even offsets. */
async function dataOf(file: string) {
  const archive = await open(file)
  try {
    const read = async (at: number, length: number) => {
      const { buffer, bytesRead } = await archive.read(Buffer.alloc(length), 0, length, at)
      return buffer.subarray(0, bytesRead).toString('latin1')
    }
    if ((await read(0, 8)) !== '!<arch>\n') throw new BuildError('it is no Debian package')
    const { size: whole } = await archive.stat()
    for (let at = 8; at < whole;) {
      const header = await read(at, 60)
      const name = header.slice(0, 16).trim().replace(/\/$/, '')
      const bytes = /^\d+ *$/.test(header.slice(48, 58)) ? Number(header.slice(48, 58)) : -1
      if (!header.endsWith('`\n') || bytes < 0 || at + 60 + bytes > whole)
        throw new BuildError('the package is damaged')
      const packed = unpackers[name]
      if (packed && bytes > 0) return { packed, start: at + 60, end: at + 59 + bytes }
      if (name.startsWith('data.tar')) throw new BuildError(`${name} is packed in an unknown way`)
      at += 60 + bytes + (bytes % 2)
    }
    throw new BuildError('the package has no files')
  } finally {
    await archive.close()
  }
}
