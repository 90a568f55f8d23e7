import { execFile } from 'node:child_process'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'

const run = promisify(execFile)

/** Writes files, by their paths below a folder. */
export async function writeTree(folder: string, files: Record<string, string>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }
}

/** An extension in SQL alone, with two versions and a way from one to the other. */
export const sqlExtension = (name: string, more = ''): Record<string, string> => ({
  [`${name}.control`]: `comment = 'Made for a test'\ndefault_version = '1.1'\n${more}`,
  [`${name}--1.0.sql`]: `create function ${name}_says() returns text language sql as $$ select '1.0' $$;`,
  [`${name}--1.0--1.1.sql`]: `create or replace function ${name}_says() returns text language sql as $$ select '1.1' $$;`,
})

/**
 * A library that a server of `major` loads, with one function. It needs a C compiler and no headers: it says by itself what the
 * headers of that version say, which the server compares with its own.
 */
export async function compileLibrary(
  to: string,
  name: string,
  major = 17,
  needs: string[] = [],
  more = '',
): Promise<void> {
  await mkdir(dirname(to), { recursive: true })
  const source = `
struct magic { int len, version, funcmaxargs, indexmaxkeys, namedatalen, float8byval; char abi_extra[32]; };
struct finfo { int api_version; };
const struct magic *Pg_magic_func(void) {
  static const struct magic m = { sizeof(struct magic), ${major * 100}, 100, 32, 64, 1, "PostgreSQL" };
  return &m;
}
const struct finfo *pg_finfo_${name}_answer(void) { static const struct finfo f = { 1 }; return &f; }
unsigned long ${name}_answer(void *call) { return 42; }
${more}
`
  await writeFile(`${to}.c`, source)
  await run('cc', ['-shared', '-fPIC', '-Wl,--no-as-needed', '-o', to, `${to}.c`, ...needs])
}

/** Whether this machine can make one. */
export const hasCompiler = (): Promise<boolean> =>
  run('cc', ['--version']).then(
    () => true,
    () => false,
  )

/** An extension whose function is in a library. */
export const libraryExtension = (name: string, more = ''): Record<string, string> => ({
  [`${name}.control`]: `default_version = '1.0'\nmodule_pathname = '$libdir/${name}'\n${more}`,
  [`${name}--1.0.sql`]: `create function ${name}_answer() returns int language c as 'MODULE_PATHNAME';`,
})

/** An `ar` archive of these members, as a Debian package is one. */
export function arOf(members: Record<string, Buffer | string>): Buffer {
  const parts = Object.entries(members).flatMap(([name, content]) => {
    const bytes = Buffer.from(content)
    const header = `${name.padEnd(16)}${'0'.padEnd(12)}${'0'.padEnd(6)}${'0'.padEnd(6)}${'100644'.padEnd(8)}${String(bytes.length).padEnd(10)}\`\n`
    return [Buffer.from(header), bytes, Buffer.from(bytes.length % 2 ? '\n' : '')]
  })
  return Buffer.concat([Buffer.from('!<arch>\n'), ...parts])
}

/** A Debian package with the files of a folder. */
export async function debOf(folder: string, file: string): Promise<void> {
  const tar = `${file}.tar`
  await run('tar', ['--create', '--file', tar, '--directory', folder, ...(await readdir(folder))])
  await writeFile(file, debWith(await readFile(tar)))
}
export const debWith = (tar: Buffer): Buffer =>
  arOf({ 'debian-binary': '2.0\n', 'control.tar.gz': '', 'data.tar.gz': gzipSync(tar) })

/** One entry of a tar archive, whatever is wrong with it. */
export function tarEntry(
  name: string,
  { type = '0', mode = 0o644, link = '', content = '' } = {},
): Buffer {
  const header = Buffer.alloc(512)
  header.write(name, 0)
  header.write(`${mode.toString(8).padStart(7, '0')}\0`, 100)
  header.write('0000000\0', 108)
  header.write('0000000\0', 116)
  header.write(`${content.length.toString(8).padStart(11, '0')}\0`, 124)
  header.write('00000000000\0', 136)
  header.write('        ', 148)
  header.write(type, 156)
  header.write(link, 157)
  header.write('ustar\0' + '00', 257)
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  const body = Buffer.alloc(Math.ceil(content.length / 512) * 512)
  body.write(content)
  return Buffer.concat([header, body])
}
export const tarOf = (...entries: Buffer[]): Buffer =>
  Buffer.concat([...entries, Buffer.alloc(1024)])
