import type { ReactNode } from 'react'

/** The title of the panel of an object of the database, of a form as of its SQL. `name`: of the one that is changed. */
export const panelTitle = (kind: string, name: string | undefined): ReactNode =>
  name === undefined ? (
    `New ${kind}`
  ) : (
    <>
      Edit <span className="mono">{name}</span>
    </>
  )

/** The button that makes it or changes it: "Create trigger", "Save trigger". */
export const panelVerb = (kind: string, editing: boolean): string =>
  `${editing ? 'Save' : 'Create'} ${kind}`
