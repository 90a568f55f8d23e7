import { themeChoices, useTheme } from '../../../session/identity/theme.ts'
import { Hotkeys } from '../../../ui/Hotkeys.tsx'
import { Logo } from '../../../ui/text/Logo.tsx'
import { Segmented } from '../../../ui/controls/Segmented.tsx'
import { AlertSamples } from './AlertSamples.tsx'
import { ButtonSamples } from './ButtonSamples.tsx'
import { ColourSamples } from './ColourSamples.tsx'
import { ErrorSamples } from './ErrorSamples.tsx'
import { FieldSamples } from './FieldSamples.tsx'
import { FloatSamples } from './FloatSamples.tsx'
import { ListSamples } from './ListSamples.tsx'
import { MarkSamples } from './MarkSamples.tsx'
import { SecretSamples } from './SecretSamples.tsx'
import { TabSamples } from './TabSamples.tsx'
import './ui-gallery.css'

/** /__ui: every component in every state, in the chosen theme. */
export function UiGallery() {
  const [theme, setTheme] = useTheme()
  return (
    <div className="gallery">
      <header className="gallery-head">
        <Logo size={24} />
        <h1>Plinth components</h1>
        <Segmented label="Theme" options={themeChoices} value={theme} onChange={setTheme} />
      </header>
      <main className="gallery-sheet">
        <div>
          <ColourSamples />
          <ButtonSamples />
          <FieldSamples />
          <ListSamples />
          <ErrorSamples />
        </div>
        <div>
          <MarkSamples />
          <TabSamples />
          <AlertSamples />
          <SecretSamples />
          <FloatSamples />
        </div>
      </main>
      <Hotkeys />
    </div>
  )
}
