# libbrotlidec by its header and libraries: Brotli ships pkg-config files only. A static libbrotlidec needs libbrotlicommon.
find_path(brotlidec_INCLUDE_DIR brotli/decode.h)
find_library(brotlidec_LIBRARY brotlidec)
find_library(brotlicommon_LIBRARY brotlicommon)
mark_as_advanced(brotlidec_INCLUDE_DIR brotlidec_LIBRARY brotlicommon_LIBRARY)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(brotlidec
  REQUIRED_VARS brotlidec_LIBRARY brotlicommon_LIBRARY brotlidec_INCLUDE_DIR)
if(brotlidec_FOUND AND NOT TARGET brotli::brotlidec)
  add_library(brotli::brotlicommon UNKNOWN IMPORTED)
  set_target_properties(brotli::brotlicommon PROPERTIES IMPORTED_LOCATION ${brotlicommon_LIBRARY})
  add_library(brotli::brotlidec UNKNOWN IMPORTED)
  set_target_properties(brotli::brotlidec PROPERTIES
    IMPORTED_LOCATION ${brotlidec_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES ${brotlidec_INCLUDE_DIR}
    INTERFACE_LINK_LIBRARIES brotli::brotlicommon)
endif()
