import { useId, useState } from 'react'
import { type Control, useController, useWatch } from 'react-hook-form'
import { Button } from '../../../ui/controls/Button.tsx'
import { buttonClass } from '../../../ui/controls/button-class.ts'
import type { AppValues } from './app-values.ts'
import { AppPicture } from './AppName.tsx'
import { pictureOf } from './picture.ts'

/** The app's picture, made small in the browser before it is sent. */
export function PictureField({ control }: { control: Control<AppValues> }) {
  const id = useId()
  const { field } = useController({ control, name: 'icon' })
  const name = useWatch({ control, name: 'name' })
  const [problem, setProblem] = useState<string>()

  async function choose(file: File | undefined) {
    if (!file) return
    const made = await pictureOf(file)
    setProblem(made ? undefined : 'The browser cannot read this image. Choose another one')
    if (made) field.onChange(made)
  }

  return (
    <div className="field">
      <span className="label">Picture</span>
      <div className="row">
        <AppPicture app={{ name: name || '?', website: '', icon: field.value }} size={40} />
        <label className={buttonClass({}, 'picture-choose')} htmlFor={id}>
          Choose picture
          <input
            id={id}
            className="sr"
            type="file"
            accept="image/png,image/jpeg,image/webp"
            onChange={(event) => void choose(event.target.files?.[0])}
          />
        </label>
        {field.value !== null && <Button onClick={() => field.onChange(null)}>Remove</Button>}
      </div>
      {problem && (
        <p className="err" role="alert">
          {problem}
        </p>
      )}
    </div>
  )
}
