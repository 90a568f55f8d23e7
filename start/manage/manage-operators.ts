import { z } from 'zod'
import { operators } from '#contract/operations/operators'
import { UsageError, type Context, type Command } from './manage-command.ts'

function emailIn([email]: string[]): string {
  if (email === undefined || !z.email().safeParse(email).success)
    throw new UsageError('give the email address of a person who has signed up')
  return encodeURIComponent(email)
}

/** Nobody makes themselves an operator with a token of theirs. */
function localOnly({ isLocal }: Context): void {
  if (!isLocal)
    throw new UsageError(
      'only the local administrator can use operators: remove --url, --token and --as',
    )
}

/** Who sees the pages of the installation itself. */
export const operatorCommands: Readonly<Record<string, Command>> = {
  'operators list': {
    takes: '',
    does: 'Lists who runs this installation and sees its health, logs and alerts in the dashboard',
    max: 0,
    run: async (_, context) => {
      localOnly(context)
      const data = await context.ask('GET /internal/operators', operators.list.returns)
      return { data: data.operators, lines: data.operators.map(({ email }) => email) }
    },
  },
  'operators add': {
    takes: 'EMAIL',
    does: 'Makes a person who has signed up an operator of this installation',
    max: 1,
    run: async (rest, context) => {
      const email = emailIn(rest)
      localOnly(context)
      const data = await context.ask(`PUT /internal/operators/${email}`, operators.add.returns)
      return { data, lines: [`${data.email} is an operator of this installation`] }
    },
  },
  'operators remove': {
    takes: 'EMAIL',
    does: 'Removes an operator; the account and its organizations stay',
    max: 1,
    run: async (rest, context) => {
      const email = emailIn(rest)
      localOnly(context)
      const data = await context.ask(
        `DELETE /internal/operators/${email}`,
        operators.remove.returns,
      )
      const said = data.removed ? 'is no longer an operator' : 'was not an operator'
      return { data, lines: [`${decodeURIComponent(email)} ${said}`] }
    },
  },
}
