import { Page } from '../../../components/page.tsx'

/** The specification wants this page with only its heading. */
export function CaptchaTextScreen() {
  return <Page title="Captcha Text" />
}
