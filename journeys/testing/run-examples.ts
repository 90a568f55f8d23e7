import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { root } from '#kit/root'

/** Runs the file as an app would; only then it ends its pool, so that the process ends. */
export async function runNode(code: string, uri: string): Promise<string> {
  const args = ['--input-type=module', '-e', `${code}\nawait pool.end()`]
  const env = { PATH: process.env['PATH'], DATABASE_URL: uri }
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root, env })
  return stdout
}

/** What a shell makes of a line of curl, as the request that curl would send. */
export async function runCurl(line: string): Promise<{ status: number; text: string }> {
  const spy = `curl() { printf '%s\\0' "$@"; }\n${line}`
  const { stdout } = await promisify(execFile)('sh', ['-c', spy])
  const words = stdout.split('\0').slice(0, -1)
  let [method, url, body]: [string | undefined, string, string | undefined] = [
    undefined,
    '',
    undefined,
  ]
  const headers = new Headers()
  for (let n = 0; n < words.length; n += 1) {
    const word = words[n] ?? ''
    const value = words[n + 1] ?? ''
    if (word === '-X') method = value
    else if (word === '-d') body = value
    else if (word === '-H')
      headers.set(value.slice(0, value.indexOf(':')), value.slice(value.indexOf(':') + 1).trim())
    else url = word
    if (word.startsWith('-')) n += 1
  }
  const response = await fetch(url, { method: method ?? 'GET', headers, ...(body ? { body } : {}) })
  return { status: response.status, text: await response.text() }
}
