import { useQuery, useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { consent as api, type ConsentCategory } from '#contract/people/consent'
import { q, messageOf } from '../../../api/client.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { Dialog } from '../../../ui/floats/Dialog.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { updateServices, useConsent } from '../../../session/telemetry/consent.ts'
import { FormDialog } from '../../../ui/floats/FormDialog.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { Switch } from '../../../ui/controls/Switch.tsx'
import { decisionsFor, isGranted } from './choices.ts'
import './consent.css'

/** What may be done with the person's data, use by use. */
export function PrivacyDialog({ onClose }: { onClose: () => void }) {
  // Not tried again by itself: an ad blocker does not change its mind, and there is a button.
  const { data, error, refetch, isFetching } = useQuery({ ...q(api.categories, {}), retry: false })
  if (data) return <PrivacyForm categories={data.categories} onClose={onClose} />
  if (error && !isFetching)
    return (
      <Dialog
        open
        onClose={onClose}
        title="Unable to Load Privacy Settings"
        footer={
          <>
            <Button size="form" onClick={onClose}>
              Close
            </Button>
            <Button size="form" variant="primary" onClick={() => void refetch()}>
              Try again
            </Button>
          </>
        }
      >
        <p>
          An ad blocker or a network error may be the cause. Please disable any ad blockers and try
          again.
        </p>
        <p className="muted t12">{error.message}</p>
      </Dialog>
    )
  return (
    <Dialog open onClose={onClose} title="Privacy settings">
      <div className="stack" aria-busy="true">
        <progress className="sr" aria-label="Loading" />
        <Skeleton width={160} height={14} />
        <Skeleton width={280} />
        <Skeleton width={160} height={14} />
        <Skeleton width={280} />
      </div>
    </Dialog>
  )
}

type Props = { categories: readonly ConsentCategory[]; onClose: () => void }

function PrivacyForm({ categories, onClose }: Props) {
  const decided = useConsent((state) => state.decisions)
  // Slugs of the categories that are switched on.
  const [on, setOn] = useState<readonly string[]>(() =>
    categories.filter((category) => isGranted(category, decided)).map(({ slug }) => slug),
  )
  const save = useMutation({
    mutationFn: () => updateServices(decisionsFor(categories, on)),
    onSuccess: () => {
      toast.success('Privacy settings saved')
      onClose()
    },
  })
  return (
    <FormDialog
      title="Privacy settings"
      verb="Save"
      pending={save.isPending}
      onSubmit={() => save.mutate()}
      onClose={onClose}
    >
      <ul className="consent-list">
        {categories.map(({ slug, label, description, isEssential }) => (
          <li key={slug}>
            <div className="grow">
              <b className="med">{label}</b>
              <p className="t12 muted">{description}</p>
            </div>
            <Switch
              label={<span className="sr">{label}</span>}
              checked={on.includes(slug)}
              disabled={isEssential}
              onChange={(checked) =>
                setOn(checked ? [...on, slug] : on.filter((other) => other !== slug))
              }
            />
          </li>
        ))}
      </ul>
      {save.error && (
        <p className="err" role="alert">
          {messageOf(save.error)}
        </p>
      )}
    </FormDialog>
  )
}
