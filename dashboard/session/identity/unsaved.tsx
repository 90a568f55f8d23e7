import { useBlocker } from '@tanstack/react-router'
import { createContext, use, useCallback, useEffect, useId, useState, type ReactNode } from 'react'
import { ConfirmDialog } from '../../ui/floats/ConfirmDialog.tsx'

type Report = (form: string, unsaved: boolean) => void
const Unsaved = createContext<Report>(() => undefined)

/** A page whose forms wait for Save: leaving it while one of them holds changes asks first, also the browser. */
export function UnsavedGate({ children }: { children: ReactNode }) {
  const [forms, setForms] = useState<ReadonlySet<string>>(new Set())
  const report = useCallback<Report>((form, unsaved) => {
    setForms((before) => {
      if (before.has(form) === unsaved) return before
      const next = new Set(before)
      if (unsaved) next.add(form)
      else next.delete(form)
      return next
    })
  }, [])
  const hasUnsaved = forms.size > 0
  const blocker = useBlocker({
    // What a page keeps in the query, as which panel is open, is no other page.
    shouldBlockFn: ({ current, next }) => hasUnsaved && current.pathname !== next.pathname,
    enableBeforeUnload: hasUnsaved,
    withResolver: true,
  })
  return (
    <Unsaved value={report}>
      {children}
      <ConfirmDialog
        open={blocker.status === 'blocked'}
        title="Leave without saving?"
        verb="Leave"
        error={undefined}
        pending={false}
        onClose={() => blocker.reset?.()}
        onConfirm={() => blocker.proceed?.()}
      >
        <p>Your changes on this page are not saved yet. Leaving discards them.</p>
      </ConfirmDialog>
    </Unsaved>
  )
}

/** Tells the page around it that a form holds changes that are not saved. */
export function useUnsaved(unsaved: boolean): void {
  const form = useId()
  const report = use(Unsaved)
  useEffect(() => {
    report(form, unsaved)
    return () => report(form, false)
  }, [report, form, unsaved])
}
