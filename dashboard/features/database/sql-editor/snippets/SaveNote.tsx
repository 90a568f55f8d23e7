import { Check, CloudOff, LoaderCircle, TriangleAlert } from 'lucide-react'
import { Button } from '../../../../ui/controls/Button.tsx'
import { Icon } from '../../../../ui/Icon.tsx'
import { Tooltip } from '../../../../ui/floats/Tooltip.tsx'
import type { OpenQuery, SaveState } from '../open-query.ts'
import { useQueryView } from '../use-workspace.ts'

type Props = { query: OpenQuery; onReview: () => void }

/** Whether what is typed is on the server. */
export function SaveNote({ query, onReview }: Props) {
  const save = useQueryView(query, (view) => view.save)
  const isSaved = useQueryView(query, (view) => view.saved !== undefined)
  const unkept = useQueryView(query, (view) => view.unkept)
  return (
    <output className="sql-save t12 muted" data-save={save.kind}>
      <Words save={save} isSaved={isSaved} unkept={unkept} />
      {save.kind === 'failed' && <Button onClick={() => void query.save()}>Retry</Button>}
      {save.kind === 'conflict' && <Button onClick={onReview}>Review</Button>}
    </output>
  )
}

type Words = { save: SaveState; isSaved: boolean; unkept: boolean }

function Words({ save, isSaved, unkept }: Words) {
  switch (save.kind) {
    case 'saved':
      return isSaved ? (
        <>
          <Icon of={Check} size="s" />
          <span className="hide-narrow">Saved</span>
        </>
      ) : null
    case 'waiting':
    case 'saving':
      return (
        <>
          <Icon of={LoaderCircle} size="s" className="turning" />
          <span className="hide-narrow">Saving</span>
        </>
      )
    case 'failed':
      return (
        <Tooltip text={unkept ? `${save.message} Keep this tab open.` : save.message}>
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the reason is only in the tooltip */}
          <span className="st tone-danger" tabIndex={0}>
            <Icon of={CloudOff} size="s" />
            {unkept ? 'Not saved' : 'Kept in this browser'}
          </span>
        </Tooltip>
      )
    case 'conflict':
      return (
        <span className="st tone-warning">
          <Icon of={TriangleAlert} size="s" />
          Changed elsewhere
        </span>
      )
  }
}
