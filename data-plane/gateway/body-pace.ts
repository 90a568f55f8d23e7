import { usualPace, type BodyPace } from '#kit/http/slow-bodies'

/** A function may read what its caller writes over hours, and has limits of its own. */
const ofFunctions = /^(?:\/(?:[a-z]{20}|default))?\/functions\/v1(?:[/?]|$)/

/** How slowly bodies may come to the services of projects. */
export const paceOfBodies: BodyPace = {
  ...usualPace,
  isExempt: ({ url = '' }) => ofFunctions.test(url),
}
