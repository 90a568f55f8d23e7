import { useState, type ReactNode } from 'react'
import type { Change } from '#contract/ddl/change'
import type { Endpoint } from '#contract/endpoint'
import { forget, queryClient } from '../../api/client.ts'
import { toast } from '../../ui/floats/toast.ts'
import { ReviewChange } from './ReviewChange.tsx'

export type Asked = {
  change: Change
  /** Of the dialog, where the verb on its button is not enough. */
  title?: ReactNode
  verb: string
  danger?: boolean
  typeName?: string
  /** What the toast says afterwards. */
  done: string
  onDone?: () => void
  /** What the page shows is gone and `onDone` leaves it: nothing is asked for again before. */
  leaves?: boolean
  children?: ReactNode
}

/**
 * `ask` shows a change of the structure and carries it out when the person agrees; what these endpoints have told is then
 * asked for again. `dialog` goes at the end of the page.
 */
export function useReview(projectRef: string, ...changed: Endpoint[]) {
  const [asked, setAsked] = useState<Asked>()
  const close = () => setAsked(undefined)
  const dialog = asked && (
    <ReviewChange
      projectRef={projectRef}
      change={asked.change}
      title={asked.title ?? asked.verb}
      verb={asked.verb}
      {...(asked.danger ? { danger: true } : {})}
      {...(asked.typeName === undefined ? {} : { typeName: asked.typeName })}
      onClose={close}
      onDone={async () => {
        if (asked.leaves) await markOld(changed)
        else await forget(...changed)
        toast.success(asked.done)
        asked.onDone?.()
        close()
      }}
    >
      {asked.children}
    </ReviewChange>
  )
  return { ask: setAsked, dialog }
}

const markOld = (endpoints: readonly Endpoint[]) =>
  Promise.all(
    endpoints.map(({ name }) =>
      queryClient.invalidateQueries({ queryKey: [name], refetchType: 'none' }),
    ),
  )
