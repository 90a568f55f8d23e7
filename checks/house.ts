import { isTestSupport, type Source } from './sources.ts'

/** Lines of a file at most (rule 9), whatever is in it. */
export const wall = 400

export const tooLong = (sources: Source[]): string[] =>
  sources
    .map(({ path, text }) => ({ path, lines: text.split('\n').length - 1 }))
    .filter(({ lines }) => lines > wall)
    .map(({ path, lines }) => `${path}: ${lines} lines`)

const servers = /^(contract|kit|control-plane|data-plane|compute|start)\//

/** Where SQL may stand (rule 1). */
const sqlHomes =
  /(^|\/)([\w-]*-)?store\.ts$|^data-plane\/(rest|pg-meta|projects)\/|^kit\/postgres\/|^compute\/(local|existing)\/|^start\/platform\/platform-cluster\.ts$|^kit\/testing\/|^bench\//
const sqlCall = /\.query(<[^(]*>)?\(\s*[`'"]|\bsql(<[^`]*>)?`/

export const sqlOutsideStores = (sources: Source[]): string[] =>
  sources
    .filter(({ path }) => servers.test(path) && path.endsWith('.ts'))
    .filter(({ path }) => !isTestSupport(path) && !sqlHomes.test(path))
    .filter(({ text }) => sqlCall.test(text))
    .map(({ path }) => path)

/** A template with a value in it, given to query(): the way SQL injection gets in. */
const builtQuery = /\.query(<[^(]*>)?\(\s*`[^`]*\$\{/

export const sqlFromTemplates = (sources: Source[]): string[] =>
  sources
    .filter(({ path }) => /\.tsx?$/.test(path) && !isTestSupport(path))
    .filter(({ text }) => builtQuery.test(text))
    .map(({ path }) => path)

/** Clients of the driver itself, which make strings of whatever a server sends (kit/postgres/client.ts). */
const driversClient =
  /import (?!type\b)(?:\w+|\{[^}]*(?<!type )\b(?:Client|Pool|native)\b[^}]*\}) from 'pg'/

export const unboundClients = (sources: Source[]): string[] =>
  sources
    .filter(({ path }) => servers.test(path) && path.endsWith('.ts'))
    .filter(({ path }) => !isTestSupport(path) && path !== 'kit/postgres/client.ts')
    .filter(({ text }) => driversClient.test(text))
    .map(({ path }) => path)

const mock = /\bvi\.(mock|doMock|hoisted)\(|\bjest\.|from ['"](?:sinon|nock|msw)/

export const mocks = (sources: Source[]): string[] =>
  sources
    .filter(({ path }) => path !== 'checks/house.ts' && path !== 'checks/house.test.ts')
    .filter(({ text }) => mock.test(text))
    .map(({ path }) => path)

const skipped = /\b(?:test|it|describe|suite)\.(?:skip|only|todo)\b/

export const skippedTests = (sources: Source[]): string[] =>
  sources
    .filter(({ path }) => path !== 'checks/house.test.ts')
    .filter(({ text }) => skipped.test(text))
    .map(({ path }) => path)

/** Server code speaks through the logger, so that every line is JSON, has its request id and no secret. */
export const consoleInServers = (sources: Source[]): string[] =>
  sources
    .filter(({ path }) => servers.test(path) && !isTestSupport(path))
    .filter(({ text }) => /\bconsole\.\w+\(/.test(text))
    .map(({ path }) => path)

/** Colours are tokens (look rules): only theme.css may hold a literal. */
const colour = /#[0-9a-f]{3,8}\b(?![^{]*\burl)|\b(?:rgba?|hsla?|oklch)\(/i

export const colourLiterals = (sources: Source[]): string[] =>
  sources
    .filter(({ path }) => /^dashboard\/.*\.(css|tsx)$/.test(path) && !path.endsWith('theme.css'))
    .filter(({ path }) => !isTestSupport(path))
    .filter(({ text }) =>
      text
        .split('\n')
        .some(
          (line) =>
            /[:\s(]/.test(line) && colour.test(line) && !/['"]#[\w/-]+['"]|url\(#/.test(line),
        ),
    )
    .map(({ path }) => path)

const readsAgain = /(?<![.\w])forget\w*\(|\b(?:invalidate|refetch)Queries\(/
/** What stands above a reading that nobody has to wait for. */
const shownAlready = /\/\/ Shown already: [^\n]*\n[^\n]*$/

/**
 * What follows a change runs once that is read again: a call says with `changes` what it changes, and reads nothing again by
 * itself in `onSuccess`, where a dialog would close on a list that does not know.
 */
export const readAgainTooLate = (sources: Source[]): string[] =>
  sources
    .filter(({ path }) => /^dashboard\/.*\.tsx?$/.test(path) && !isTestSupport(path))
    // The client is what does it for all others.
    .filter(({ path }) => path !== 'dashboard/api/client.ts')
    .filter(({ text }) =>
      [...text.matchAll(/\bonSuccess\b/g)].some(({ index }) => {
        const code = followingOf(text, index + 'onSuccess'.length)
        const found = readsAgain.exec(code)
        return found !== null && !shownAlready.test(code.slice(0, found.index))
      }),
    )
    .map(({ path }) => path)

/** What runs after a success: `onSuccess: (…) => …`, `onSuccess(…) {…}`, or what `onSuccess: name` and `onSuccess` itself name. */
function followingOf(text: string, start: number): string {
  const rest = text.slice(start, start + 100)
  const name = /^\s*[,}]/.test(rest) ? 'onSuccess' : /^\s*:\s*(\w+)\s*[,}]/.exec(rest)?.[1]
  if (name === undefined) return codeFrom(text, start)
  const found = new RegExp(`\\bconst ${name}\\b[^=\\n]*=|\\bfunction ${name}\\b`).exec(text)
  return found ? codeFrom(text, found.index + found[0].length) : ''
}

/** Up to where what begins here ends: a closing bracket, a comma, or a line that nothing goes on from. */
function codeFrom(text: string, start: number): string {
  let depth = 0
  for (let i = start; i < text.length; i++) {
    const char = text[i] ?? ''
    if ('({['.includes(char)) depth++
    if (')}]'.includes(char) && --depth < 0) return text.slice(start, i)
    if (depth > 0 || (char !== ',' && char !== '\n')) continue
    const before = text.slice(start, i).trimEnd()
    if (char === ',' || !/(?:^|[=>:?(]|\|\||&&)$/.test(before)) return text.slice(start, i)
  }
  return text.slice(start)
}
