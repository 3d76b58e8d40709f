# Compression codecs that other projects wrote. Each is linked from the system, or compiled in from its sources; the files of
# a codec are the subset that decoding needs. The macro that pagelane's code sees has the name of the option.

function(add_codec_sources name folder include_folder)
  foreach(file IN LISTS ARGN)
    if(NOT EXISTS ${folder}/${file})
      message(FATAL_ERROR "${folder}/${file} is missing: does the PAGELANE_*_SOURCE option name the right folder?")
    endif()
  endforeach()
  list(TRANSFORM ARGN PREPEND ${folder}/)
  add_library(pagelane_${name} OBJECT ${ARGN})
  target_compile_options(pagelane_${name} PRIVATE -w)
  target_include_directories(pagelane_objects SYSTEM PRIVATE ${include_folder})
  set(codec_objects ${codec_objects} $<TARGET_OBJECTS:pagelane_${name}> PARENT_SCOPE)
endfunction()

if(PAGELANE_WITH_ZSTD)
  target_compile_definitions(pagelane_objects PRIVATE PAGELANE_WITH_ZSTD)
  if(PAGELANE_ZSTD_SOURCE)
    add_codec_sources(zstd ${PAGELANE_ZSTD_SOURCE} ${PAGELANE_ZSTD_SOURCE}
      common/debug.c common/entropy_common.c common/error_private.c common/fse_decompress.c common/xxhash.c
      common/zstd_common.c
      decompress/huf_decompress.c decompress/zstd_ddict.c decompress/zstd_decompress.c
      decompress/zstd_decompress_block.c)
    # One thread, no older formats, no assembler, no trace hooks; the symbols stay inside pagelane.
    target_compile_definitions(pagelane_zstd PRIVATE
      ZSTD_LEGACY_SUPPORT=0 ZSTD_DISABLE_ASM=1 ZSTD_TRACE=0 ZSTD_STRIP_ERROR_STRINGS=1 DEBUGLEVEL=0
      ZSTDLIB_VISIBLE= ZSTDLIB_HIDDEN= ZSTDERRORLIB_VISIBLE= ZSTDERRORLIB_HIDDEN=)
  elseif(zstd_FOUND)
    target_link_libraries(pagelane_objects PRIVATE zstd::libzstd)
    list(APPEND static_links zstd::libzstd)
    list(APPEND pkgconfig_requires libzstd)
  else()
    message(FATAL_ERROR "PAGELANE_WITH_ZSTD: libzstd was not found, and PAGELANE_ZSTD_SOURCE is not set")
  endif()
endif()

if(PAGELANE_WITH_ZLIB)
  target_compile_definitions(pagelane_objects PRIVATE PAGELANE_WITH_ZLIB)
  if(PAGELANE_ZLIB_SOURCE)
    add_codec_sources(zlib ${PAGELANE_ZLIB_SOURCE} ${PAGELANE_ZLIB_SOURCE}
      adler32.c crc32.c inffast.c inflate.c inftrees.c zutil.c)
    target_compile_definitions(pagelane_zlib PRIVATE HAVE_HIDDEN)
  elseif(ZLIB_FOUND)
    target_link_libraries(pagelane_objects PRIVATE ZLIB::ZLIB)
    list(APPEND static_links ZLIB::ZLIB)
    list(APPEND pkgconfig_requires zlib)
  else()
    message(FATAL_ERROR "PAGELANE_WITH_ZLIB: zlib was not found, and PAGELANE_ZLIB_SOURCE is not set")
  endif()
endif()

if(PAGELANE_WITH_BROTLI)
  target_compile_definitions(pagelane_objects PRIVATE PAGELANE_WITH_BROTLI)
  if(NOT brotlidec_FOUND)
    message(FATAL_ERROR "PAGELANE_WITH_BROTLI: libbrotlidec was not found")
  endif()
  target_link_libraries(pagelane_objects PRIVATE brotli::brotlidec)
  list(APPEND static_links brotli::brotlidec)
  list(APPEND pkgconfig_requires libbrotlidec)
endif()
