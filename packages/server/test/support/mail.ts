export const PUBLIC_URL = 'https://siarin.example'

/** The settings of an operator who has a mail server. */
export const mailSettings = (smtpUrl: string) => ({
  SMTP_URL: smtpUrl,
  MAIL_FROM: 'Siarin <no-reply@siarin.example>',
  PUBLIC_URL,
})
