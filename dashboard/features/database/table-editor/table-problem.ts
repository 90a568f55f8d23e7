import type { EntityDetail } from '#contract/database/pg-meta-shapes'
import type { CallError } from '../../../api/client.ts'

/** Why rows were not read or saved, in words for somebody who has typed into them. */
export const tableProblem = ({ code, message }: CallError, { name }: EntityDetail) =>
  code === 404
    ? `${name} no longer exists: someone dropped it. What you typed is kept here.`
    : message
