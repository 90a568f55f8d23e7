import { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { adjacencyGraphs, dictionary as common } from '@zxcvbn-ts/language-common'
import { dictionary as english, translations } from '@zxcvbn-ts/language-en'

export type PasswordVerdict = {
  /** 0 (guessed at once) to 4 (strong). */
  score: number
  feedback: { suggestions: string[]; warning: string }
}

/** The dictionaries take a moment and some megabytes to load, so they are made at the first question. */
let engine: ZxcvbnFactory | undefined

/** Scores a password as zxcvbn does. Only 4 is good enough for a database (facts §0 "Password minimum score"). */
export function checkPassword(password: string): PasswordVerdict {
  engine ??= new ZxcvbnFactory({
    dictionary: { ...common, ...english },
    graphs: adjacencyGraphs,
    translations,
    maxLength: 100,
  })
  const { score, feedback } = engine.check(password)
  return { score, feedback: { suggestions: feedback.suggestions, warning: feedback.warning ?? '' } }
}
