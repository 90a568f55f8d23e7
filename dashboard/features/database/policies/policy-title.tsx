import type { ReactNode } from 'react'

/** The title of the panel of a policy, of its form as of its SQL. */
export const policyTitle = (isNew: boolean, table: string): ReactNode => (
  <>
    {isNew ? 'New policy of ' : 'Policy of '}
    <span className="mono">{table}</span>
  </>
)
