import type { ZxcvbnFactory } from '@zxcvbn-ts/core'

export type PasswordVerdict = {
  /** 0 (guessed at once) to 4 (strong). */
  score: number
  feedback: { suggestions: string[]; warning: string }
}

/** The dictionaries are megabytes and take a moment to load, so they are loaded at the first question. */
let engine: Promise<ZxcvbnFactory> | undefined

async function load(): Promise<ZxcvbnFactory> {
  const [{ ZxcvbnFactory: Factory }, common, english] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
    import('@zxcvbn-ts/language-en'),
  ])
  return new Factory({
    dictionary: { ...common.dictionary, ...english.dictionary },
    graphs: common.adjacencyGraphs,
    translations: english.translations,
    maxLength: 100,
  })
}

/** Scores a password as zxcvbn does. The forms ask for 4 (facts §0 "Password minimum score"). */
export async function checkPassword(password: string): Promise<PasswordVerdict> {
  const { score, feedback } = (await (engine ??= load())).check(password)
  return { score, feedback: { suggestions: feedback.suggestions, warning: feedback.warning ?? '' } }
}
