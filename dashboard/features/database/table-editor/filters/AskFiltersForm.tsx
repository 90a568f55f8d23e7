import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { aiOptInLevel } from '#contract/organizations/ai-opt-in'
import { assistant } from '#contract/assistant/assistant'
import type { EntityDetail } from '#contract/database/pg-meta-shapes'
import type { RowFilter } from '#contract/database/rows/table-rows'
import { messageOf, q } from '../../../../api/client.ts'
import { NoModel } from '../../../../modules/assistant/NoModel.tsx'
import { useOrganization } from '../../../../session/organization/organizations.ts'
import { useDenials } from '../../../../session/organization/permissions.ts'
import { useProject } from '../../../../session/project/project.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { Form } from '../../../../ui/controls/Form.tsx'
import { TextField } from '../../../../ui/controls/TextField.tsx'
import { askFilters } from './asked-filters.ts'

type Props = {
  projectRef: string
  entity: EntityDetail
  onFilters: (filters: RowFilter[]) => void
}

export function AskFiltersForm({ projectRef, entity, onFilters }: Props) {
  const [wish, setWish] = useState('')
  const { data: status } = useQuery(q(assistant.status, {}))
  const project = useProject(projectRef)
  const { opt_in_tags: tags } = useOrganization(project.organizationSlug)
  const denial = useDenials(project)(assistant.ask)
  const abort = useRef(new AbortController())
  const ask = useMutation({
    mutationFn: () => askFilters(projectRef, entity, wish.trim(), abort.current.signal),
    onSuccess: onFilters,
  })
  // Nobody waits any more for what was asked in a popover that is closed.
  useEffect(() => {
    const asking = (abort.current = new AbortController())
    return () => asking.abort()
  }, [])
  const closed =
    denial ??
    (status?.configured === false ? 'No model is configured' : undefined) ??
    (aiOptInLevel(tags) === 'disabled'
      ? 'The organization shows the assistant no tables: its general settings change that'
      : undefined)
  return (
    <Form
      className="filter-form form-stack"
      error={undefined}
      pending={ask.isPending}
      onSubmit={() => wish.trim() && !closed && ask.mutate()}
    >
      {status?.configured === false && <NoModel />}
      <TextField
        label="Which rows?"
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- opened to be typed in
        autoFocus
        autoComplete="off"
        maxLength={1000}
        placeholder="Added this week and not yet paid"
        error={ask.error ? messageOf(ask.error) : undefined}
        help={closed ?? 'The assistant writes the filters; they can be changed like any others.'}
        value={wish}
        onChange={(event) => setWish(event.target.value)}
      />
      <Button
        type="submit"
        size="form"
        variant="primary"
        busy={ask.isPending}
        disabledReason={closed}
        disabled={!wish.trim()}
      >
        Filter
      </Button>
    </Form>
  )
}
