import { FunctionCode, ServedFunctions } from '#contract/functions/functions-internal'
import { Lru } from '#kit/lru'
import type { Directory } from '../projects/directory.ts'

/** Where the functions of projects come from. */
export type FunctionSource = {
  of(ref: string): Promise<ServedFunctions>
  /** Files of a version, which never change. */
  code(versionId: string): Promise<FunctionCode>
}

type Options = {
  controlPlaneUrl: string
  token: string
  directory: Pick<Directory, 'onChange'>
}

/** Projects whose functions are remembered. */
const mostKnown = 2000

/** Asks the control plane once, and again when the directory says that the project has changed. */
export function remoteFunctions({ controlPlaneUrl, token, directory }: Options): FunctionSource {
  const known = new Lru<{ asked: Promise<ServedFunctions> | undefined }>(mostKnown)
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

  async function of(ref: string): Promise<ServedFunctions> {
    let entry = known.get(ref)
    if (!entry) known.set(ref, (entry = { asked: undefined }))
    const asked = (entry.asked ??= get(`projects/${ref}/functions`).then((body) =>
      ServedFunctions.parse(body),
    ))
    try {
      const value = await asked
      // An answer that a change has overtaken is worth nothing.
      return entry.asked === asked ? value : await of(ref)
    } catch (error) {
      if (entry.asked === asked) entry.asked = undefined
      throw error
    }
  }

  return {
    of,
    code: async (versionId) => FunctionCode.parse(await get(`function-versions/${versionId}`)),
  }
}
