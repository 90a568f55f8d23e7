import { useSuspenseQuery } from '@tanstack/react-query'
import { useEffect, useState, type ReactNode } from 'react'
import { Ago } from '../../ui/text/Time.tsx'
import { Alert } from '../../ui/Alert.tsx'
import { Button } from '../../ui/controls/Button.tsx'
import { createDrafts, type Draft, type DraftKind, type Drafts } from './drafts.ts'
import { profileQuery } from './profile.ts'
import { livingTabs, showLife, tab } from './tab-life.ts'

/** Work on one thing that is not saved yet. */
export type Work<T> = Draft & { work: T }

/** Where this browser keeps the signed-in person's work on things of one kind in a project. */
export function useWorkDrafts<T>(kind: DraftKind, projectRef: string): Drafts<Work<T>> {
  const { data: profile } = useSuspenseQuery(profileQuery)
  const scope = `${profile.id}.${projectRef}`
  const [drafts] = useState(() => createDrafts<Work<T>>(localStorage, { kind, scope }, tab))
  useEffect(() => {
    showLife()
    drafts.prune()
  }, [drafts])
  return drafts
}

/** The newest work on a thing that an earlier visit did not save; it is offered until it is taken up or forgotten. */
export function useLeftWork<T>(drafts: Drafts<Work<T>>, id: string) {
  const [left, setLeft] = useState<Work<T>>()
  useEffect(() => {
    let isHere = true
    void livingTabs().then((alive) => {
      if (isHere) setLeft(drafts.orphans(alive).find((draft) => draft.id === id))
    })
    return () => {
      isHere = false
    }
  }, [drafts, id])
  return {
    left,
    /** Removes it from what is offered, once its caller has it. */
    settle() {
      if (left) drafts.forget(left)
      setLeft(undefined)
    },
  }
}

type Props = {
  /** Such as "3 changes were not applied". */
  title: string
  left: Draft
  children?: ReactNode
  onRestore: () => void
  onDiscard: () => void
}

/** Offers work of an earlier visit. */
export function LeftWorkNote({ title, left, children, onRestore, onDiscard }: Props) {
  return (
    <Alert
      variant="info"
      title={title}
      action={
        <>
          <Button variant="ghost" onClick={onDiscard}>
            Discard
          </Button>
          <Button onClick={onRestore}>Restore</Button>
        </>
      }
    >
      Kept in this browser <Ago at={new Date(left.at).toISOString()} />. {children}
    </Alert>
  )
}
