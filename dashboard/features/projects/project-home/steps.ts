import type { Overview } from '#contract/projects/project-overview'

export type StepId = 'table' | 'row' | 'policy' | 'key'
export type Step = { id: StepId; name: string; about: string; done: boolean }

type Facts = Pick<Overview, 'tables' | 'has_rows' | 'policies'> & { keyUsedAt: string | null }

/** What makes a project useful, in the order in which people do it. Each is done when the facts say so, however it came about. */
export const stepsOf = ({ tables, has_rows, policies, keyUsedAt }: Facts): Step[] => [
  {
    id: 'table',
    name: 'Create a table',
    about: 'Columns and a key, in the editor or with SQL.',
    done: tables > 0,
  },
  {
    id: 'row',
    name: 'Insert a row',
    about: 'In the table editor, from a file or with SQL.',
    done: has_rows,
  },
  {
    id: 'policy',
    name: 'Add a policy',
    about: 'Choose which rows the anon key can read or write.',
    done: policies > 0,
  },
  {
    id: 'key',
    name: 'Call it from your app',
    about: 'Send the first request with a key of this project.',
    done: keyUsedAt !== null,
  },
]

export const doneOf = (steps: readonly Step[]): number => steps.filter(({ done }) => done).length
