import { FunctionCode, ServedFunctions } from '#contract/functions/functions-internal'
import { Lru } from '#kit/lru'
import type { Directory } from '../projects/directory.ts'

/** Where the functions of projects come from. */
export type FunctionSource = {
  /** A function of this name that is not known may just have been deployed, and is asked for once more. */
  of(ref: string, slug?: string): Promise<ServedFunctions>
  /** Files of a version, which never change. */
  code(versionId: string): Promise<FunctionCode>
}

type Options = {
  controlPlaneUrl: string
  token: string
  directory: Pick<Directory, 'onChange'>
}

/** Projects whose functions are remembered. */
const maxKnown = 2000

/** Milliseconds between two questions for functions that are not known: anybody can call what does not exist. */
const missEveryMs = 1000

type Entry = { asked: Promise<ServedFunctions> | undefined; missedAt: number }

/** Asks the control plane once, and again when the directory says that the project has changed. */
export function remoteFunctions({ controlPlaneUrl, token, directory }: Options): FunctionSource {
  const known = new Lru<Entry>(maxKnown)
  directory.onChange((ref) => {
    const entry = known.get(ref)
    if (entry) entry.asked = undefined
  })

  async function get(path: string): Promise<unknown> {
    const response = await fetch(`${controlPlaneUrl}/internal/${path}`, {
      headers: { authorization: `Bearer ${token}` },
      signal: AbortSignal.timeout(20_000),
    })
    const body: unknown = await response.json()
    if (!response.ok) throw new Error(`The control plane answered ${response.status} for ${path}`)
    return body
  }

  function entryOf(ref: string): Entry {
    const entry = known.get(ref) ?? { asked: undefined, missedAt: -missEveryMs }
    known.set(ref, entry)
    return entry
  }

  async function find(ref: string): Promise<ServedFunctions> {
    const entry = entryOf(ref)
    const asked = (entry.asked ??= get(`projects/${ref}/functions`).then((body) =>
      ServedFunctions.parse(body),
    ))
    try {
      const value = await asked
      // An answer that a change has overtaken is worth nothing.
      return entry.asked === asked ? value : await find(ref)
    } catch (error) {
      if (entry.asked === asked) entry.asked = undefined
      throw error
    }
  }

  return {
    async of(ref, slug) {
      const before = entryOf(ref).asked
      const value = await find(ref)
      if (slug === undefined || value.functions.some((each) => each.slug === slug)) return value
      const entry = entryOf(ref)
      // The deployment is answered when it is committed; that something has changed is heard a moment later.
      if (entry.asked === before && performance.now() - entry.missedAt >= missEveryMs) {
        entry.asked = undefined
        entry.missedAt = performance.now()
      }
      return find(ref)
    },
    code: async (versionId) => FunctionCode.parse(await get(`function-versions/${versionId}`)),
  }
}
