/** What the strength check answered: zxcvbn's score from 0 to 4 and its advice. */
export type Strength = {
  score: number
  feedback: { suggestions: readonly string[]; warning: string }
}

/** What a reader sees of it (requirements §5). `warning` is empty only for a password that may be used. */
export type StrengthView = {
  percent: number
  tone: 'danger' | 'warning' | 'success'
  message: string
  warning: string
}

const maximumLength = 99
/** Only 4 of 4 passes. */
const minimumScore = 4

const messages = [
  'This password is not acceptable.',
  'This password is not secure enough.',
  'This password is not secure enough.',
  'Not bad, but your password must be harder to guess.',
  'This password is strong.',
] as const
const percents = [10, 30, 50, 80, 100] as const
const tones = ['danger', 'danger', 'warning', 'warning', 'success'] as const

/** True for a password that needs no asking: empty is skipped, too long is known to be wrong. */
export const needsCheck = (password: string) =>
  password.length > 0 && password.length <= maximumLength

/** The bar and the words for a password; undefined while there is nothing to say. */
export function strengthView(
  password: string,
  checked: Strength | undefined,
): StrengthView | undefined {
  if (password === '') return undefined
  if (password.length > maximumLength)
    return {
      percent: percents[0],
      tone: tones[0],
      message: 'Maximum length of password exceeded',
      warning: 'Password should be less than 100 characters',
    }
  if (!checked) return undefined
  const score = level(checked.score)
  const advice = checked.feedback.warning.replace(/\.?$/, '.')
  return {
    percent: percents[score],
    tone: tones[score],
    message: [messages[score], ...checked.feedback.suggestions].join(' '),
    warning:
      score >= minimumScore
        ? ''
        : [checked.feedback.warning && advice, 'You need a stronger password.']
            .filter(Boolean)
            .join(' '),
  }
}

function level(score: number): 0 | 1 | 2 | 3 | 4 {
  if (score >= 4) return 4
  if (score >= 3) return 3
  if (score >= 2) return 2
  return score >= 1 ? 1 : 0
}
