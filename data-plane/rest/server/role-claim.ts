/**
 * How to find the role in the claims of a token, as a JSPath: `.role`, `.app."my-roles"[0]`, `.roles[?(@ ^== "web")]`; or as the
 * JSON Path that newer versions have: `$.role`, `$["my-roles"][0]`, `$.roles[?(@ == "web")]`, `$.roles[?search(@, "^web")]`.
 */
export type RoleClaim = readonly Step[]
type Step =
  | { kind: 'key'; name: string }
  | { kind: 'index'; at: number }
  | { kind: 'slice'; start: number | undefined; end: number | undefined }
  | { kind: 'first'; fits: (value: string) => boolean }

const key = /^\.(?:([\p{L}\p{N}_$@]+)|"([^"]*)")/u
const index = /^\[(\d+)\]/
const slice = /^\[(-?\d*):(-?\d*)\]/
const quotedKey = /^\[(?:"([^"]*)"|'([^']*)')\]/
const search = /^\[\?\(?\s*search\(\s*@\s*,\s*"([^"]*)"\s*\)\s*\)?\]/
const filter = /^\[\?\(?\s*@\s*(==\^|\^==|\*==|==|!=)\s*"([^"]*)"\s*\)?\]/

const comparisons: Record<string, (value: string, asked: string) => boolean> = {
  '==': (value, asked) => value === asked,
  '!=': (value, asked) => value !== asked,
  '^==': (value, asked) => value.startsWith(asked),
  '==^': (value, asked) => value.endsWith(asked),
  '*==': (value, asked) => value.includes(asked),
}

/** @returns undefined for what is no path. */
export function parseRoleClaim(text: string): RoleClaim | undefined {
  const steps: Step[] = []
  let rest = text.startsWith('$') ? text.slice(1) : text
  while (rest !== '') {
    const found = nextStep(rest)
    if (!found || (steps.length === 0 && found.step.kind !== 'key')) return undefined
    steps.push(found.step)
    rest = rest.slice(found.length)
  }
  return steps.length > 0 ? steps : undefined
}

function nextStep(text: string): { step: Step; length: number } | undefined {
  const named = key.exec(text)
  if (named) return made(named, { kind: 'key', name: named[1] ?? named[2] ?? '' })
  const quoted = quotedKey.exec(text)
  if (quoted) return made(quoted, { kind: 'key', name: quoted[1] ?? quoted[2] ?? '' })
  const searched = search.exec(text)
  const wanted = searched && patternOf(searched[1] ?? '')
  if (wanted) return made(searched, { kind: 'first', fits: (value) => wanted.test(value) })
  const indexed = index.exec(text)
  if (indexed) return made(indexed, { kind: 'index', at: Number(indexed[1]) })
  const sliced = slice.exec(text)
  if (sliced) {
    const bound = (written = '') => (written === '' ? undefined : Number(written))
    return made(sliced, { kind: 'slice', start: bound(sliced[1]), end: bound(sliced[2]) })
  }
  const filtered = filter.exec(text)
  const compare = comparisons[filtered?.[1] ?? '']
  if (!filtered || !compare) return undefined
  const asked = filtered[2] ?? ''
  return made(filtered, { kind: 'first', fits: (value) => compare(value, asked) })
}

/** Of the operator's configuration; undefined for what is no pattern. */
function patternOf(text: string): RegExp | undefined {
  try {
    return new RegExp(text, 'u')
  } catch {
    return undefined
  }
}

const made = ([whole]: RegExpExecArray, step: Step) => ({ step, length: whole.length })

/** @returns undefined when the claims have nothing at the path. */
export function roleIn(claims: unknown, path: RoleClaim): unknown {
  return path.reduce<unknown>(walk, claims)
}

function walk(value: unknown, step: Step): unknown {
  switch (step.kind) {
    case 'key':
      return typeof value === 'object' && value !== null && Object.hasOwn(value, step.name)
        ? (value as Record<string, unknown>)[step.name]
        : undefined
    case 'index':
      return Array.isArray(value) ? (value[step.at] as unknown) : undefined
    case 'slice':
      return typeof value === 'string' ? value.slice(step.start, step.end) : undefined
    case 'first':
      return Array.isArray(value)
        ? value.find((one) => typeof one === 'string' && step.fits(one))
        : undefined
    default:
      return step satisfies never
  }
}
