/**
 * What people upload in practice, by the names of ffmpeg's decoders. The rest of its four hundred are for the films of old games and the
 * like: nobody broadcasts those, and each is code that reads what strangers send.
 */
const VIDEO = [
  'h264,hevc,vvc,av1,libdav1d,libaom-av1,vp8,libvpx,vp9,libvpx-vp9,vp3,vp4,vp5,vp6,vp6a,vp6f,vp7,theora',
  'mpeg1video,mpeg2video,mpegvideo,mpeg4,msmpeg4v1,msmpeg4v2,msmpeg4,h261,h263,h263i,h263p,flv,wmv1,wmv2,wmv3,vc1',
  'mjpeg,mjpegb,prores,dnxhd,cfhd,hap,dvvideo,rawvideo,v210,v410,r210,r10k,huffyuv,ffvhuff,ffv1,utvideo,magicyuv,lagarith',
  'qtrle,svq1,svq3,cinepak,rpza,rv10,rv20,rv30,rv40,cavs,dirac,indeo3,indeo4,indeo5,msvideo1,msrle,fraps,zmbv,camtasia',
  'tscc2,g2m,flashsv,flashsv2,jpeg2000,libopenjpeg,notchlc',
]

/** Also the cover pictures that come with a video. */
const PICTURES = ['png,apng,gif,bmp,tiff,webp']

const AUDIO = [
  'aac,aac_fixed,aac_latm,mp1,mp1float,mp2,mp2float,mp3,mp3float,mp3adu,mp3adufloat,mp3on4,mp3on4float,als',
  'ac3,ac3_fixed,eac3,dca,truehd,mlp,opus,libopus,vorbis,libvorbis,flac,alac,ape,tta,tak,wavpack,shorten',
  'wmav1,wmav2,wmapro,wmavoice,wmalossless,amrnb,amrwb,libopencore_amrnb,libopencore_amrwb,speex,libspeex,nellymoser',
  'cook,sipr,ralf,real_144,real_288,atrac1,atrac3,atrac3al,atrac3plus,atrac3plusal,qdm2,qdmc,qcelp,mace3,mace6,gsm,gsm_ms',
  'libgsm,libgsm_ms,ilbc,libilbc,g722,g723_1,g726,g726le,g729,s302m,dvaudio,sbc,aptx,aptx_hd,truespeech,twinvq,metasound',
  'adpcm_ms,adpcm_ima_wav,adpcm_ima_qt,adpcm_ima_dk3,adpcm_ima_dk4,adpcm_swf,adpcm_yamaha,adpcm_g722,adpcm_g726,adpcm_ct,imc,iac',
  'pcm_alaw,pcm_mulaw,pcm_bluray,pcm_dvd,pcm_f16le,pcm_f24le,pcm_f32be,pcm_f32le,pcm_f64be,pcm_f64le,pcm_s8,pcm_s8_planar',
  'pcm_s16be,pcm_s16be_planar,pcm_s16le,pcm_s16le_planar,pcm_s24be,pcm_s24le,pcm_s24le_planar,pcm_s24daud,pcm_s32be,pcm_s32le',
  'pcm_s32le_planar,pcm_s64be,pcm_s64le,pcm_u8,pcm_u16be,pcm_u16le,pcm_u24be,pcm_u24le,pcm_u32be,pcm_u32le,pcm_vidc',
]

/** They are never shown, but ffprobe opens each stream of a file and gives up where it may not. */
const SUBTITLES = [
  'ssa,ass,dvbsub,dvdsub,libzvbi_teletextdec,libaribb24,libaribcaption,cc_dec,pgssub,mov_text,srt,subrip,text,webvtt,xsub,hdmv',
]

export const DECODERS = [...VIDEO, ...PICTURES, ...AUDIO, ...SUBTITLES].join(',')
