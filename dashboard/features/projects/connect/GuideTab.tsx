import { useState } from 'react'
import { SelectField } from '../../../ui/controls/SelectField.tsx'
import { Files } from './Files.tsx'
import type { Guide } from './guide.ts'

type Props<P> = { label: string; guides: readonly Guide<P>[]; project: P }

/** One framework of a list, with the files that connect an app made with it. */
export function GuideTab<P>({ label, guides, project }: Props<P>) {
  const [chosen, setChosen] = useState<string>()
  const [way, setWay] = useState<string>()
  const guide = guides.find(({ id }) => id === chosen) ?? guides[0]
  if (!guide) return null
  const variant = guide.variants.find(({ id }) => id === way) ?? guide.variants[0]
  return (
    <div className="form-stack">
      <div className="connect-choices">
        <SelectField
          label={label}
          options={guides.map(({ id, name }) => ({ value: id, label: name }))}
          value={guide.id}
          onChange={setChosen}
        />
        {guide.variants.length > 1 && (
          <SelectField
            label="Using"
            options={guide.variants.map(({ id, name }) => ({ value: id, label: name }))}
            value={variant.id}
            onChange={setWay}
          />
        )}
      </div>
      <Files
        key={`${guide.id} ${variant.id}`}
        install={variant.install}
        note={variant.note}
        files={variant.files(project)}
      />
    </div>
  )
}
