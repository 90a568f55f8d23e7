import { useNavigate } from '@tanstack/react-router'
import { Ellipsis, Lock, Pencil, Trash2, Users } from 'lucide-react'
import { useState } from 'react'
import { snippets, type Report } from '#contract/database/snippets'
import { messageOf, useCall } from '../../../../api/client.ts'
import { IconButton } from '../../../../ui/controls/IconButton.tsx'
import { ConfirmDialog } from '../../../../ui/floats/ConfirmDialog.tsx'
import { Menu } from '../../../../ui/floats/Menu.tsx'
import { MenuItem, MenuSeparator } from '../../../../ui/floats/MenuItem.tsx'
import { toast } from '../../../../ui/floats/toast.ts'
import type { ReportValues } from '../../../../modules/reports/custom-reports.ts'
import { ReportNameDialog } from './ReportNameDialog.tsx'

type Props = {
  projectRef: string
  report: Report
  /** Why the reader may not change it. */
  denied: string | undefined
  save: (changed: Partial<ReportValues>) => Promise<unknown>
}

/** What can be done with a report as a whole. */
export function ReportMenu({ projectRef: ref, report, denied, save }: Props) {
  const navigate = useNavigate()
  const [asked, setAsked] = useState<'name' | 'delete'>()
  const { id, name, visibility } = report
  const isShared = visibility === 'project'
  const remove = useCall(snippets.remove, {
    onAnswer: () => navigate({ to: '/project/$ref/reports', params: { ref } }),
    changes: [snippets.list],
    onSuccess: () => {
      toast.success(`${name} was deleted`)
    },
  })
  const share = () =>
    void save({ visibility: isShared ? 'user' : 'project' }).then(
      () => toast.success(isShared ? `${name} is private again` : `${name} is shared`),
      (error: unknown) => toast.error(messageOf(error)),
    )
  return (
    <>
      <Menu
        label={`Actions for ${name}`}
        align="end"
        trigger={<IconButton icon={Ellipsis} variant="secondary" label={`Actions for ${name}`} />}
      >
        <MenuItem icon={Pencil} disabledReason={denied} onSelect={() => setAsked('name')}>
          Rename
        </MenuItem>
        <MenuItem icon={isShared ? Lock : Users} disabledReason={denied} onSelect={share}>
          {isShared ? 'Stop sharing' : 'Share with the project'}
        </MenuItem>
        <MenuSeparator />
        <MenuItem icon={Trash2} danger disabledReason={denied} onSelect={() => setAsked('delete')}>
          Delete
        </MenuItem>
      </Menu>
      {asked === 'name' && (
        <ReportNameDialog
          title="Rename report"
          verb="Rename"
          name={name}
          description={report.description ?? ''}
          save={save}
          onClose={() => setAsked(undefined)}
        />
      )}
      <ConfirmDialog
        open={asked === 'delete'}
        onClose={() => setAsked(undefined)}
        title={`Delete ${name}?`}
        verb="Delete report"
        error={remove.error?.message}
        pending={remove.isPending}
        onConfirm={() => remove.mutate({ ref, ids: id })}
      >
        <p>
          The report is deleted permanently
          {isShared ? ', for everybody in this project.' : '.'}
        </p>
      </ConfirmDialog>
    </>
  )
}
